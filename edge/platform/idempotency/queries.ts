import { and, eq, lt, sql } from 'drizzle-orm'
import { idempotencyKeys } from '../../tables.ts'
import type { Database, Statement } from '../database/client.ts'

export type StoredRequest = typeof idempotencyKeys.$inferSelect

/** A request that must run only once. */
export interface KeyedRequest {
  owner: string
  key: string
  fingerprint: string
}

/** How long the first response can be replayed. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000
/**
 * Longer than any request takes, except uploads, which renew the lock. An expired lock means that the request
 * crashed.
 */
export const LOCK_MS = 30 * 1000

/**
 * Starts a request in one round trip if it is new, if its first attempt crashed, or if the key is older than a day.
 * @returns null if the request may run; otherwise the stored state.
 */
export async function beginRequest(
  db: Database,
  request: KeyedRequest,
  now: number,
): Promise<StoredRequest | null> {
  const started = { createdAt: now, lockedUntil: now + LOCK_MS, completions: 0, status: null, answer: null }
  const [claimed, known] = await db.batch([
    db
      .insert(idempotencyKeys)
      .values({ ...request, ...started })
      .onConflictDoUpdate({
        target: [idempotencyKeys.owner, idempotencyKeys.key],
        set: { fingerprint: request.fingerprint, ...started },
        setWhere: sql`${idempotencyKeys.createdAt} <= ${now - REMEMBERED_MS} OR (${idempotencyKeys.completions} = 0
          AND ${idempotencyKeys.lockedUntil} <= ${now} AND ${idempotencyKeys.fingerprint} = ${request.fingerprint})`,
      })
      .returning({ key: idempotencyKeys.key }),
    db.select().from(idempotencyKeys).where(isRequest(request)),
  ])
  return claimed.length > 0 ? null : (known[0] ?? null)
}

function isRequest({ owner, key }: Pick<KeyedRequest, 'owner' | 'key'>) {
  return and(eq(idempotencyKeys.owner, owner), eq(idempotencyKeys.key, key))
}

export async function findRequest(db: Database, request: KeyedRequest): Promise<StoredRequest | undefined> {
  const [row] = await db.select().from(idempotencyKeys).where(isRequest(request))
  return row
}

/**
 * Stores the response in the same commit as the work. If a first attempt was wrongly considered crashed, a CHECK
 * allows only one of the two commits, so they cannot both charge.
 */
export function completeStatement(
  db: Database,
  request: KeyedRequest,
  answer: { status: number; answer: string; fingerprint: string },
): Statement {
  return db
    .update(idempotencyKeys)
    .set({ ...answer, completions: sql`${idempotencyKeys.completions} + 1` })
    .where(isRequest(request))
}

/**
 * Like completeStatement, for a commit that may run in another database than the one where the request began. Both
 * databases then have a row, and each allows only one commit.
 */
export function completeAnywhereStatement(
  db: Database,
  request: KeyedRequest,
  answer: { status: number; answer: string; fingerprint: string },
  now: number,
): Statement {
  return db
    .insert(idempotencyKeys)
    .values({ ...request, ...answer, createdAt: now, lockedUntil: now, completions: 1 })
    .onConflictDoUpdate({
      target: [idempotencyKeys.owner, idempotencyKeys.key],
      set: { ...answer, completions: sql`${idempotencyKeys.completions} + 1` },
    })
}

/** Stores the response of a request that commits no work. */
export async function completeRequest(
  db: Database,
  request: KeyedRequest,
  answer: { status: number; answer: string },
): Promise<void> {
  await db
    .update(idempotencyKeys)
    .set({ ...answer, completions: 1 })
    .where(and(isRequest(request), eq(idempotencyKeys.completions, 0)))
}

/** Deletes a request that had no effect, so the key can be reused for any request. */
export async function dropRequest(db: Database, request: KeyedRequest): Promise<void> {
  await db.delete(idempotencyKeys).where(and(isRequest(request), eq(idempotencyKeys.completions, 0)))
}

/** Extends the lock of a running request. */
export async function renewLock(db: Database, request: KeyedRequest, now: number): Promise<void> {
  await db
    .update(idempotencyKeys)
    .set({ lockedUntil: now + LOCK_MS })
    .where(and(isRequest(request), eq(idempotencyKeys.completions, 0)))
}

/** Unlocks a request whose outcome is unknown, so the next attempt does not have to wait. */
export async function unlockRequest(db: Database, request: KeyedRequest): Promise<void> {
  await db.update(idempotencyKeys).set({ lockedUntil: 0 }).where(isRequest(request))
}

export async function forgetRequests(db: Database, now: number): Promise<void> {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, now - REMEMBERED_MS))
}
