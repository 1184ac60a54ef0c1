import { unsubscribePlaceName } from '../accounts/place-names.ts'
import type { Deps } from '../deps.ts'
import { findNotedPlace, type Place } from '../platform/database/find-place.ts'
import { endSubscription, findByToken } from './queries.ts'
import { EMAIL_TOPICS, type EmailTopic } from './rules/preferences.ts'

/** Returns the kind of emails that an unsubscribe link ends; null if the link is unknown. */
export async function findLinkTopic(deps: Deps, token: string, name: string): Promise<EmailTopic | null> {
  return (await findLink(deps, token, name))?.found ?? null
}

async function findLink(deps: Deps, token: string, name: string): Promise<Place<EmailTopic> | null> {
  const topic = EMAIL_TOPICS.find((known) => known === name)
  if (topic === undefined) return null
  return findNotedPlace(deps, token, unsubscribePlaceName(token), async ({ db }) =>
    (await findByToken(db, token)) === undefined ? null : topic,
  )
}

/**
 * Ends the emails of an unsubscribe link. Contract: Notifications, Notification preferences.
 * @returns null if the link is unknown
 */
export async function unsubscribe(deps: Deps, token: string, name: string): Promise<true | null> {
  // Looks up the token before writing, so guessed tokens cannot block writers.
  const link = await findLink(deps, token, name)
  if (link === null) return null
  await endSubscription(link.deps.db, token, link.found)
  return true
}
