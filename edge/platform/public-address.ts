import ipaddr from 'ipaddr.js'
import { hostOf, isPublicWebAddress } from '../../shared/addresses.ts'
import type { Deps } from '../deps.ts'
import { judgeResolvedName, type NameVerdict } from './rules/resolved-names.ts'

/**
 * Checks whether a URL leads to a public host, by its text and by DNS. The request resolves the name again, because
 * a Worker cannot connect over TLS to an IP address under a different host name. Only the platform's network
 * prevents DNS rebinding (README, Deploy).
 */
export async function judgePublicAddress(
  { env, dns }: Pick<Deps, 'env' | 'dns'>,
  address: string,
): Promise<NameVerdict> {
  const url = URL.parse(address)
  if (url === null) return 'unsafe'
  if (env.ALLOW_PRIVATE_SOURCES && /^https?:$/.test(url.protocol)) return 'safe'
  if (!isPublicWebAddress(url)) return 'unsafe'
  const host = hostOf(url.hostname)
  if (ipaddr.isValid(host) || env.DNS_URL === '') return 'safe'
  const findings = await Promise.all([dns.resolve(host, 'A'), dns.resolve(host, 'AAAA')])
  return judgeResolvedName(findings.map(({ outcome, records }) => (outcome === 'unknown' ? null : records)))
}
