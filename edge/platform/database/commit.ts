import type { InValue } from '@libsql/client/web'
import type { Database, Statement } from './client.ts'
import { RACE_CONSTRAINTS, RACE_TRIGGER } from './race-constraints.ts'

/** Thrown if another writer was first: the loaded facts are outdated and nothing was written. */
export class LostRace extends Error {
  override name = 'LostRace'
}

const ATTEMPTS_MAX = 60
const PAUSE_MS_MAX = 40

/**
 * Writes all statements in one transaction and one round trip, or none of them. Throws LostRace if a race
 * constraint is violated. A violation of any other constraint is a defect and is rethrown.
 */
export async function commit(db: Database, statements: readonly Statement[]): Promise<void> {
  if (statements.length === 0) return
  const queries = statements.map((statement) => {
    const { sql, params } = statement.toSQL()
    return { sql, args: params as InValue[] }
  })
  try {
    await db.$client.batch(queries, 'write')
  } catch (error) {
    throw isLostRace(error) ? new LostRace('another writer was first', { cause: error }) : error
  }
}

/**
 * Repeats an attempt until its commit succeeds.
 * @param attempt loads, decides and commits; throws LostRace if another writer was first.
 */
export async function untilCommitted<Answer>(attempt: () => Promise<Answer>): Promise<Answer> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof LostRace) || count >= ATTEMPTS_MAX) throw error
      await scheduler.wait(Math.random() * Math.min(PAUSE_MS_MAX, 2 * count))
    }
  }
}

/** Whether a commit was refused because another writer was first. */
export function isLostRace(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes(RACE_TRIGGER)) return true
    const violated = /(?:UNIQUE|CHECK) constraint failed: (.+?)\s*$/.exec(cause.message)?.[1]
    if (violated !== undefined && RACE_CONSTRAINTS.includes(violated)) return true
  }
  return false
}
