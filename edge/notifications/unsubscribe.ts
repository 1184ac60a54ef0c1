import type { Deps } from '../deps.ts'
import { endSubscription, findByToken } from './queries.ts'
import { EMAIL_TOPICS, type EmailTopic } from './rules/preferences.ts'

/** Returns the kind of emails that an unsubscribe link ends; null if the link is unknown. */
export async function findLinkTopic(
  { db }: Pick<Deps, 'db'>,
  token: string,
  name: string,
): Promise<EmailTopic | null> {
  const topic = EMAIL_TOPICS.find((known) => known === name)
  return topic !== undefined && (await findByToken(db, token)) !== undefined ? topic : null
}

/**
 * Ends the emails of an unsubscribe link. Contract: Notifications, Notification preferences.
 * @returns false if the link is unknown
 */
export async function unsubscribe(deps: Pick<Deps, 'db'>, token: string, name: string): Promise<boolean> {
  // Looks up the token before writing, so guessed tokens cannot block writers.
  const topic = await findLinkTopic(deps, token, name)
  if (topic !== null) await endSubscription(deps.db, token, topic)
  return topic !== null
}
