import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'

let domains: Set<string> | undefined

/** Whether a domain gives addresses away that last for minutes. The list comes with its package's updates. */
export function isDisposableDomain(domain: string): boolean {
  domains ??= disposableEmailBlocklistSet()
  return domains.has(domain)
}
