import { and, between, desc, eq, sql } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { DAY_MS, dayOf } from '../platform/rules/days.ts'
import { feedback } from '../tables.ts'
import type { FeedbackFacts } from './rules/spam.ts'

const HOUR_MS = 60 * 60 * 1000
/** No limit needs more rows than this, except the limit for all senders combined. */
const ROWS_MAX = 50

/** The sender (an account or a hashed address), hashed network and block, and hashed text of a message. */
export interface Message {
  sender: string
  network: string | null
  block: string | null
  message_hash: string
}

/**
 * Loads the facts that the limits need and the id of the last message.
 * @param per_hour limit for all senders combined.
 */
export async function loadFeedback(
  db: Database,
  { sender, network, block, message_hash }: Message,
  per_hour: number,
  now: number,
): Promise<FeedbackFacts & { last_id: number }> {
  const times = { at: feedback.createdAt }
  const newest = desc(feedback.createdAt)
  const [last, same, own, near, around, all] = await db.batch([
    db.select({ id: feedback.id }).from(feedback).orderBy(desc(feedback.id)).limit(1),
    db
      .select({ id: feedback.id })
      .from(feedback)
      .where(and(eq(feedback.day, dayOf(now)), eq(feedback.messageHash, message_hash))),
    db
      .select(times)
      .from(feedback)
      .where(and(eq(feedback.sender, sender), between(feedback.createdAt, now - DAY_MS + 1, now)))
      .orderBy(newest)
      .limit(ROWS_MAX),
    db
      .select(times)
      .from(feedback)
      .where(and(eq(feedback.network, network ?? ''), between(feedback.createdAt, now - HOUR_MS + 1, now)))
      .orderBy(newest)
      .limit(ROWS_MAX),
    db
      .select(times)
      .from(feedback)
      .where(
        and(
          sql`block IS NOT NULL`,
          eq(feedback.block, block ?? ''),
          between(feedback.createdAt, now - HOUR_MS + 1, now),
        ),
      )
      .orderBy(newest)
      .limit(ROWS_MAX),
    db
      .select(times)
      .from(feedback)
      .where(between(feedback.createdAt, now - HOUR_MS + 1, now))
      .orderBy(newest)
      .limit(per_hour),
  ])
  const timesOf = (rows: { at: number }[]) => rows.map(({ at }) => at)
  return {
    last_id: last[0]?.id ?? 0,
    duplicate: same.length > 0,
    own: timesOf(own),
    network: timesOf(near),
    block: timesOf(around),
    all: timesOf(all),
  }
}

/** Inserts a message. Loses the race if another one has arrived since `last_id` was loaded. */
export function insertFeedbackStatement(
  db: Database,
  { sender, network, block, message_hash }: Message,
  last_id: number,
  now: number,
): Statement {
  return db.insert(feedback).values({
    id: last_id + 1,
    sender,
    network,
    block,
    messageHash: message_hash,
    day: dayOf(now),
    createdAt: now,
  })
}
