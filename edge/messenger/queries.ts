import { and, eq, inArray, isNull, lte, or } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { jobs, messengerLinks, messengerUpdates } from '../tables.ts'

export type MessengerLink = typeof messengerLinks.$inferSelect

export function insertLinkStatement(db: Database, link: typeof messengerLinks.$inferInsert): Statement {
  return db.insert(messengerLinks).values(link)
}

/** Selects one of this bot's links, with its job. */
export async function findMessengerLink(db: Database, botId: number, tokenHash: string) {
  const [found] = await db
    .select({ link: messengerLinks, job: jobs })
    .from(messengerLinks)
    .innerJoin(jobs, eq(jobs.id, messengerLinks.jobId))
    .where(and(eq(messengerLinks.tokenHash, tokenHash), eq(messengerLinks.botId, botId)))
  return found
}

/**
 * Claims a link until the given time, for one attempt to reply to one message.
 * @returns false if the link was used or another attempt may still be running.
 */
export async function claimLink(
  db: Database,
  { tokenHash }: Pick<MessengerLink, 'tokenHash'>,
  claimedBy: string,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  const isFree = or(isNull(messengerLinks.claimedUntil), lte(messengerLinks.claimedUntil, now))
  const claimed = await db
    .update(messengerLinks)
    .set({ claimedBy, claimedUntil: until })
    .where(and(eq(messengerLinks.tokenHash, tokenHash), isNull(messengerLinks.usedAt), isFree))
    .returning({ tokenHash: messengerLinks.tokenHash })
  return claimed.length > 0
}

const claimOf = (tokenHash: string, claimedBy: string) =>
  and(eq(messengerLinks.tokenHash, tokenHash), eq(messengerLinks.claimedBy, claimedBy))

/** Releases a link after a failed attempt, so the next attempt can start immediately. */
export async function releaseLink(db: Database, tokenHash: string, claimedBy: string): Promise<void> {
  await db.update(messengerLinks).set({ claimedUntil: null }).where(claimOf(tokenHash, claimedBy))
}

export function useLinkStatement(db: Database, tokenHash: string, claimedBy: string, now: number): Statement {
  return db.update(messengerLinks).set({ usedAt: now }).where(claimOf(tokenHash, claimedBy))
}

const FORGOTTEN_AT_ONCE = 100

/** Deletes a batch of links that expired long ago. */
export function forgetLinksStatement(db: Database, before: number): Statement {
  const old = db
    .select({ tokenHash: messengerLinks.tokenHash })
    .from(messengerLinks)
    .where(lte(messengerLinks.expiresAt, before))
    .limit(FORGOTTEN_AT_ONCE)
  return db.delete(messengerLinks).where(inArray(messengerLinks.tokenHash, old))
}

export async function isUpdateKnown(db: Database, botId: number, updateId: number): Promise<boolean> {
  const rows = await db
    .select({ createdAt: messengerUpdates.createdAt })
    .from(messengerUpdates)
    .where(and(eq(messengerUpdates.botId, botId), eq(messengerUpdates.updateId, updateId)))
  return rows.length > 0
}

/** Records an update. The primary key rejects an update that is already recorded. */
export function insertUpdateStatement(db: Database, update: typeof messengerUpdates.$inferInsert): Statement {
  return db.insert(messengerUpdates).values(update)
}

export function forgetUpdatesStatement(db: Database, before: number): Statement {
  return db.delete(messengerUpdates).where(lte(messengerUpdates.createdAt, before))
}
