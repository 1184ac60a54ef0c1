import type { AccountRow } from '../accounts/queries.ts'
import type { Deps } from '../deps.ts'
import { mailEffect } from '../emails/send.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { DAY_MS } from '../platform/rules/days.ts'

/**
 * Returns the email about a changed password.
 * @param cause identifies the change.
 */
export function passwordChangedEffect(
  { mailer }: Pick<Deps, 'mailer'>,
  { id, email, locale }: AccountRow,
  { cause, now }: { cause: string; now: number },
): Effect[] {
  if (mailer === null) return []
  const content = { kind: 'password_changed' as const, at: now }
  const effect = mailEffect(`password-changed:${id}:${cause}`, {
    to: email,
    locale,
    content,
    useful_until: now + DAY_MS,
  })
  return [effect]
}
