import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'

let domains: Set<string> | undefined

/** Checks whether a domain provides disposable addresses. The list is updated with its package. */
export function isDisposableDomain(domain: string): boolean {
  domains ??= disposableEmailBlocklistSet()
  return domains.has(domain)
}
