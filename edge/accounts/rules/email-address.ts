import { z } from 'zod'
import { FIELD_FAULTS, schemaFault } from '../../platform/errors/rules/field-faults.ts'
import type { DnsFinding } from '../../platform/rules/dns-finding.ts'

const LOCAL_PART_LENGTH_MAX = 64

/** As zod has it, but a domain's last label may be one of another script, in its ASCII form. */
const PATTERN =
  /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[a-z0-9][a-z0-9-]*\.)+(?:[a-z]{2,}|xn--[a-z0-9-]*[a-z0-9])$/i

/** An address as letters can be sent to it; its length is bounded by what mail servers take. */
export const EmailAddress = z
  .email({ pattern: PATTERN, error: FIELD_FAULTS.invalid_email })
  .max(254)
  .refine((email) => email.lastIndexOf('@') <= LOCAL_PART_LENGTH_MAX, schemaFault('invalid_email'))

export const VERDICTS = ['ok', 'invalid', 'no_domain', 'disposable', 'unknown'] as const
/** Contract: Accounts, Email check. */
export type Verdict = (typeof VERDICTS)[number]

/** What the name servers say of a domain: whether letters to it can arrive. */
export type MailReach = 'reachable' | 'unreachable' | 'unknown'

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}

/** Names that are promised never to exist (RFC 2606), so that nobody need be asked. */
const NEVER_EXISTS = /\.invalid$/

/** What can be said without asking the name servers; null where they must be asked. */
export function verdictAtSight(email: string, isDisposable: (domain: string) => boolean): Verdict | null {
  if (!EmailAddress.safeParse(email).success) return 'invalid'
  const domain = domainOf(email)
  if (NEVER_EXISTS.test(domain)) return 'no_domain'
  // A list knows a domain by its own name; whoever owns it owns all names under it.
  const labels = domain.split('.')
  const names = labels.map((_label, index) => labels.slice(index).join('.'))
  return names.some(isDisposable) ? 'disposable' : null
}

export function verdictOfReach(reach: MailReach): Verdict {
  if (reach === 'unknown') return 'unknown'
  return reach === 'reachable' ? 'ok' : 'no_domain'
}

/** An address that could not be looked up is not its owner's fault. */
export function isAcceptable(verdict: Verdict): verdict is 'ok' | 'unknown' {
  return verdict === 'ok' || verdict === 'unknown'
}

/**
 * Whether a domain takes mail (RFC 5321, 5.1; RFC 7505): by its MX records, unless one is the null MX.
 * @returns null where it has none and its own address must be asked for.
 */
export function reachByMx({ outcome, records }: DnsFinding): MailReach | null {
  if (outcome === 'unknown') return 'unknown'
  if (outcome === 'no_name') return 'unreachable'
  if (outcome === 'no_records') return null
  return records.every((record) => /^\d+\s+\.$/.test(record.trim())) ? 'unreachable' : 'reachable'
}

/** Without an MX record the host of that name takes the mail, where there is one. */
export function reachByHost(findings: readonly DnsFinding[]): MailReach {
  if (findings.some(({ outcome }) => outcome === 'records')) return 'reachable'
  return findings.some(({ outcome }) => outcome === 'unknown') ? 'unknown' : 'unreachable'
}
