import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'

let domains: Set<string> | undefined

/** Checks whether a domain provides disposable addresses. Updating the package updates the list. */
export function isDisposableDomain(domain: string): boolean {
  domains ??= disposableEmailBlocklistSet()
  return domains.has(domain)
}
