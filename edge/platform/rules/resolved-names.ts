import { isPublicIp } from '../../../shared/addresses.ts'

/** Result of resolving a name: 'safe' if all addresses are public, 'unknown' if a name server did not respond. */
export type NameVerdict = 'safe' | 'unsafe' | 'nowhere' | 'unknown'

/**
 * Judges the addresses that a name resolves to.
 * @param answers the addresses for each record type; null if the resolver did not respond.
 */
export function judgeResolvedName(answers: readonly (readonly string[] | null)[]): NameVerdict {
  const ips = answers.flatMap((answer) => answer ?? [])
  if (!ips.every(isPublicIp)) return 'unsafe'
  if (answers.includes(null)) return 'unknown'
  return ips.length === 0 ? 'nowhere' : 'safe'
}
