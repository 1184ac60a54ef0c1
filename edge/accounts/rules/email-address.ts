import { z } from 'zod'
import { schemaFault } from '../../platform/errors/rules/field-faults.ts'
import type { DnsFinding } from '../../platform/rules/dns-finding.ts'

const LOCAL_PART_LENGTH_MAX = 64

/** zod's pattern, extended to top-level domains in Punycode. */
const PATTERN =
  /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[a-z0-9][a-z0-9-]*\.)+(?:[a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])$/i

/** Validates an email address. The length limit is the one that mail servers enforce. */
export const EmailAddress = z
  .email({ pattern: PATTERN, error: schemaFault('invalid_email').message })
  .max(254)
  .refine((email) => email.lastIndexOf('@') <= LOCAL_PART_LENGTH_MAX, schemaFault('invalid_email'))

export const VERDICTS = ['ok', 'invalid', 'no_domain', 'disposable', 'unknown'] as const
/** Result of an email check. Contract: Accounts, Email check. */
export type Verdict = (typeof VERDICTS)[number]

/** Indicates whether the domain can receive mail according to DNS. */
export type MailReach = 'reachable' | 'unreachable' | 'unknown'

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}

/** Reserved names that never exist (RFC 2606), so they need no DNS query. */
const NEVER_EXISTS = /\.invalid$/

/** Returns the verdict if it can be determined without a DNS query; otherwise null. */
export function verdictAtSight(email: string, isDisposable: (domain: string) => boolean): Verdict | null {
  if (!EmailAddress.safeParse(email).success) return 'invalid'
  const domain = domainOf(email)
  if (NEVER_EXISTS.test(domain)) return 'no_domain'
  // The list contains registered domains, and subdomains belong to the same owner.
  const labels = domain.split('.')
  const names = labels.map((_label, index) => labels.slice(index).join('.'))
  return names.some(isDisposable) ? 'disposable' : null
}

export function verdictOfReach(reach: MailReach): Verdict {
  if (reach === 'unknown') return 'unknown'
  return reach === 'reachable' ? 'ok' : 'no_domain'
}

/** Also accepts addresses that DNS could not check: a DNS failure is not the user's fault. */
export function isAcceptable(verdict: Verdict): verdict is 'ok' | 'unknown' {
  return verdict === 'ok' || verdict === 'unknown'
}

/**
 * Uses MX records to check whether a domain receives mail. A null MX means that it does not (RFC 5321, 5.1; RFC
 * 7505).
 * @returns null if there is no MX record; check the address records in that case.
 */
export function reachByMx({ outcome, records }: DnsFinding): MailReach | null {
  if (outcome === 'unknown') return 'unknown'
  if (outcome === 'no_name') return 'unreachable'
  if (outcome === 'no_records') return null
  return records.every((record) => /^\d+\s+\.$/.test(record.trim())) ? 'unreachable' : 'reachable'
}

/** Checks the address records: without an MX record, mail goes to the host itself, if it exists. */
export function reachByHost(findings: readonly DnsFinding[]): MailReach {
  if (findings.some(({ outcome }) => outcome === 'records')) return 'reachable'
  return findings.some(({ outcome }) => outcome === 'unknown') ? 'unknown' : 'unreachable'
}
