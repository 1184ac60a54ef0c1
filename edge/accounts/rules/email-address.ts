import { z } from 'zod'
import { FIELD_FAULTS, schemaFault } from '../../platform/errors/rules/field-faults.ts'
import type { DnsFinding } from '../../platform/rules/dns-finding.ts'

const LOCAL_PART_LENGTH_MAX = 64

/** The pattern of zod, extended to top-level domains in punycode. */
const PATTERN =
  /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[a-z0-9][a-z0-9-]*\.)+(?:[a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])$/i

/** Validates an email address; the length limit is that of mail servers. */
export const EmailAddress = z
  .email({ pattern: PATTERN, error: FIELD_FAULTS.invalid_email })
  .max(254)
  .refine((email) => email.lastIndexOf('@') <= LOCAL_PART_LENGTH_MAX, schemaFault('invalid_email'))

export const VERDICTS = ['ok', 'invalid', 'no_domain', 'disposable', 'unknown'] as const
/** Result of an email check. Contract: Accounts, Email check. */
export type Verdict = (typeof VERDICTS)[number]

/** Whether the domain can receive mail according to DNS. */
export type MailReach = 'reachable' | 'unreachable' | 'unknown'

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}

/** Reserved names that never exist (RFC 2606), so no DNS query is needed. */
const NEVER_EXISTS = /\.invalid$/

/** Returns the verdict that needs no DNS query; null if DNS decides. */
export function verdictAtSight(email: string, isDisposable: (domain: string) => boolean): Verdict | null {
  if (!EmailAddress.safeParse(email).success) return 'invalid'
  const domain = domainOf(email)
  if (NEVER_EXISTS.test(domain)) return 'no_domain'
  // The list contains registered domains; subdomains belong to the same owner.
  const labels = domain.split('.')
  const names = labels.map((_label, index) => labels.slice(index).join('.'))
  return names.some(isDisposable) ? 'disposable' : null
}

export function verdictOfReach(reach: MailReach): Verdict {
  if (reach === 'unknown') return 'unknown'
  return reach === 'reachable' ? 'ok' : 'no_domain'
}

/** Accepts addresses that DNS could not check: a DNS failure is not the fault of the user. */
export function isAcceptable(verdict: Verdict): verdict is 'ok' | 'unknown' {
  return verdict === 'ok' || verdict === 'unknown'
}

/**
 * Checks whether a domain receives mail by its MX records; a null MX means that it does not (RFC 5321, 5.1;
 * RFC 7505).
 * @returns null if it has no MX record: then check its address records.
 */
export function reachByMx({ outcome, records }: DnsFinding): MailReach | null {
  if (outcome === 'unknown') return 'unknown'
  if (outcome === 'no_name') return 'unreachable'
  if (outcome === 'no_records') return null
  return records.every((record) => /^\d+\s+\.$/.test(record.trim())) ? 'unreachable' : 'reachable'
}

/** Checks the address records: without an MX record, mail goes to the host itself if it exists. */
export function reachByHost(findings: readonly DnsFinding[]): MailReach {
  if (findings.some(({ outcome }) => outcome === 'records')) return 'reachable'
  return findings.some(({ outcome }) => outcome === 'unknown') ? 'unknown' : 'unreachable'
}
