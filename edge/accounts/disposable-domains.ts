import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'

let domains: Set<string> | undefined

/**
 * Checks whether a domain provides disposable addresses. The list comes from a package, so updating the package
 * updates the list.
 */
export function isDisposableDomain(domain: string): boolean {
  domains ??= disposableEmailBlocklistSet()
  return domains.has(domain)
}
