import { isPublicIp } from '../../../shared/addresses.ts'

/** What a name resolves to: 'safe' when to public addresses alone, 'unknown' when a resolver did not answer. */
export type NameVerdict = 'safe' | 'unsafe' | 'nowhere' | 'unknown'

/** @param answers the addresses of each record type; null where the resolver did not answer. */
export function judgeResolvedName(answers: readonly (readonly string[] | null)[]): NameVerdict {
  const ips = answers.flatMap((answer) => answer ?? [])
  if (!ips.every(isPublicIp)) return 'unsafe'
  if (answers.includes(null)) return 'unknown'
  return ips.length === 0 ? 'nowhere' : 'safe'
}
