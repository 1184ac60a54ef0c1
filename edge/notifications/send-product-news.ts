import type { SessionCaller } from '../accounts/rules/caller.ts'
import { administer } from '../administration/audit.ts'
import type { Deps } from '../deps.ts'
import { mailEffect } from '../emails/send.ts'
import { LostRace } from '../platform/database/commit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { RecordAnswer } from '../platform/idempotency/record-answer.ts'
import { isoTime } from '../platform/iso-time.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import { commitOnce } from '../platform/unit-of-work.ts'
import {
  addMissingPreferencesStatement,
  advanceNewsStatements,
  findUnfinishedNews,
  insertNewsStatement,
  listSubscribers,
  type StoredNews,
} from './queries.ts'
import type { NewsMessages } from './rules/news-messages.ts'

/** Maximum number of emails per minute: one outbox run, with room for other effects. */
const EMAILS_MAX = 50
const USEFUL_MS = 7 * DAY_MS

/**
 * Handles POST /admin/product-news: sends news to all subscribers in batches, one batch per minute. Throws 409 if
 * no mail server is configured.
 */
export function sendNews(deps: Deps, caller: SessionCaller, messages: NewsMessages, record: RecordAnswer) {
  if (deps.mailer === null) throw new ApiError('mail_not_configured')
  const id = crypto.randomUUID()
  return administer(deps, caller, {
    load: async () => undefined,
    decide: (_, now) => {
      const answer = { id, created_at: isoTime(now) }
      return {
        statements: [
          addMissingPreferencesStatement(deps.db, null),
          insertNewsStatement(deps.db, { id, messages, createdAt: now }),
          ...record(answer),
        ],
        entries: [{ action: 'news.send', target: `news:${id}`, before: null, after: messages }],
        answer,
      }
    },
  })
}

/** Queues the next emails for the oldest unfinished news item, one per subscriber. */
export async function sendNewsEmails(deps: Deps): Promise<void> {
  const news = await findUnfinishedNews(deps.db)
  if (news === undefined) return
  const now = deps.clock.now()
  const subscribers = await listSubscribers(deps.db, news, EMAILS_MAX)
  const last = subscribers.at(-1)
  const statements = advanceNewsStatements(deps.db, news, {
    lastAccountId: last?.id ?? news.lastAccountId,
    finishedAt: subscribers.length < EMAILS_MAX ? now : null,
  })
  const effects = subscribers.map((subscriber) => newsEffect(news, subscriber, now))
  try {
    await commitOnce(deps, { statements, effects, answer: null }, 'by outbox')
  } catch (error) {
    // Another run got there first.
    if (!(error instanceof LostRace)) throw error
  }
}

type Subscriber = Awaited<ReturnType<typeof listSubscribers>>[number]

function newsEffect(
  { id, messages }: StoredNews,
  { id: accountId, email, locale, token }: Subscriber,
  now: number,
) {
  const message = messages[locale]
  return mailEffect(`news:${id}:${accountId}`, {
    to: email,
    locale: message === undefined ? 'en' : locale,
    content: { kind: 'news', unsubscribe_token: token, ...(message ?? messages.en) },
    useful_until: now + USEFUL_MS,
  })
}
