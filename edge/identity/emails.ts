import type { AccountRow } from '../accounts/queries.ts'
import type { Deps } from '../deps.ts'
import { mailEffect } from '../emails/send.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import type { IdentityEmail } from './rules/identity-email.ts'

/** Returns the email about a link. An unconfirmed address may belong to someone else, so it gets none. */
export function identityEffects(
  { mailer }: Pick<Deps, 'mailer'>,
  { id, email, emailVerifiedAt, locale }: AccountRow,
  status: IdentityEmail,
  now: number,
): Effect[] {
  if (mailer === null || emailVerifiedAt === null) return []
  const content = { kind: 'identity' as const, status, at: now }
  const email_id = `identity-${status}:${id}:${crypto.randomUUID()}`
  return [mailEffect(email_id, { to: email, locale, content, useful_until: now + DAY_MS })]
}
