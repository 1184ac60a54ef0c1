import type { SettingFault } from '../../shared/settings/setting-rule.ts'
import type { DatabaseAddress } from '../platform/database/account-databases.ts'

/** Whether a URL is that of a database of Turso. URLs with `libsql:` keep the case of their host. */
export function isOfTurso(url: string): boolean {
  return URL.canParse(url) && /\.turso\.io\.?$/i.test(new URL(url).hostname)
}

const PROBLEM =
  'must name only primaries if there are several databases, so no host of *.turso.io: its replicas can answer reads with old rows, which would break moves of accounts.'

/** Finds databases whose reads replicas may answer. With one database, no account moves. */
export function findReplicas(
  home_url: string | undefined,
  others: readonly DatabaseAddress[],
): SettingFault[] {
  if (others.length === 0) return []
  return [
    ...(isOfTurso(home_url ?? '') ? [{ name: 'DATABASE_URL', problem: PROBLEM }] : []),
    ...(others.some(({ url }) => isOfTurso(url)) ? [{ name: 'ACCOUNT_DATABASES', problem: PROBLEM }] : []),
  ]
}

/** @throws Error if replicas may answer the reads of one of several databases */
export function requirePrimaries(home_url: string | undefined, others: readonly DatabaseAddress[]): void {
  const [fault] = findReplicas(home_url, others)
  if (fault !== undefined) throw new Error(`${fault.name} ${fault.problem}`)
}
