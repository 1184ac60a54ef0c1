import ipaddr from 'ipaddr.js'
import { hostOf, isPublicWebAddress } from '../../shared/addresses.ts'
import type { Deps } from '../deps.ts'
import { invalidField } from '../platform/errors/api-error.ts'
import { judgeResolvedName, type NameVerdict } from '../platform/rules/resolved-names.ts'

/** Throws 422 for a URL that webhooks must not reach. If DNS fails now, the check before each attempt decides. */
export async function requireSafeWebhook(
  deps: Deps,
  address: string,
  field: 'webhook_url' | 'url' = 'webhook_url',
): Promise<void> {
  const verdict = await judgeWebhookAddress(deps, address)
  if (verdict === 'unsafe') throw invalidField(field, 'unsafe_webhook_url')
  if (verdict === 'nowhere') throw invalidField(field, 'unresolvable_webhook_host')
}

/**
 * Checks whether a URL leads to a public host, by its text and by DNS. The request resolves the name again, because
 * a Worker cannot connect over TLS to an IP address under a different host name. Only the platform's network
 * prevents DNS rebinding (README, Deploy).
 */
export async function judgeWebhookAddress(
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
