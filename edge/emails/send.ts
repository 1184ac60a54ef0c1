import { isErasedAddress } from '../account-deletion/rules/deletion.ts'
import type { Deps } from '../deps.ts'
import { findByToken } from '../notifications/queries.ts'
import type { Effect } from '../platform/outbox/queries.ts'
import { loadSettings } from '../settings/queries.ts'
import { type EmailContents, MailRequest } from './queued-email.ts'
import { renderQueued } from './render-queued.ts'

/**
 * Returns the effect that sends an email.
 * @param id identifies the email by its cause, so each cause sends only one.
 */
export function mailEffect(id: string, request: MailRequest): Effect {
  return { id: `mail:${id}`, kind: 'mail', payload: request }
}

/** Sends an email from the outbox. Throws if the mail server does not accept it, so the outbox retries. */
export async function sendQueuedEmail(deps: Deps, id: string, payload: unknown): Promise<void> {
  const { to, locale, content, useful_until } = MailRequest.parse(payload)
  if (useful_until <= deps.clock.now() || isErasedAddress(to)) return
  if (deps.mailer === null) throw new Error('no mail server is configured')
  if (!(await isStillWanted(deps, content))) return
  const { support_email, support_url, withdrawal_days } = await loadSettings(deps.db, deps.clock.now())
  const support = support_email || support_url
  const email = renderQueued(content, locale, { url: deps.env.PUBLIC_URL, support, withdrawal_days })
  await deps.mailer.send(id.replaceAll(':', '.'), to, email)
}

/**
 * Checks the subscription again: the email may wait a long time, and the recipient may unsubscribe in the meantime.
 */
async function isStillWanted({ db }: Deps, content: EmailContents): Promise<boolean> {
  if (content.kind !== 'jobs' && content.kind !== 'news') return true
  const preferences = await findByToken(db, content.unsubscribe_token)
  if (preferences === undefined) return false
  return content.kind === 'jobs' ? preferences.jobNotifications !== 'off' : preferences.productNews
}
