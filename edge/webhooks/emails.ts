import { findAccount } from '../accounts/queries.ts'
import type { Deps } from '../deps.ts'
import { mailEffect } from '../emails/send.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import type { Endpoint } from './endpoint-queries.ts'

const USEFUL_MS = 30 * DAY_MS

/**
 * Returns the email about an endpoint that was disabled after a series of failures, once per series. Unconfirmed
 * addresses get no email, because they may belong to someone else.
 */
export async function endpointDisabledEffects(
  { db, mailer }: Pick<Deps, 'db' | 'mailer'>,
  { id, accountId, url, failingSince }: Endpoint,
  now: number,
): Promise<Effect[]> {
  const failing_since = failingSince ?? now
  const account = mailer === null ? undefined : await findAccount(db, accountId)
  if (account === undefined || account.emailVerifiedAt === null) return []
  const email = mailEffect(`webhook-endpoint-disabled:${id}:${failing_since}`, {
    to: account.email,
    locale: account.locale,
    content: { kind: 'webhook_endpoint_disabled', url, failing_since },
    useful_until: now + USEFUL_MS,
  })
  return [email]
}
