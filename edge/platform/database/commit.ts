import type { InValue } from '@libsql/client/web'
import type { Database, Statement } from './client.ts'
import { RACE_CONSTRAINTS, RACE_TRIGGER } from './race-constraints.ts'

/** Another writer was first: what was loaded is out of date, and nothing was written. */
export class LostRace extends Error {
  override name = 'LostRace'
}

const ATTEMPTS_MAX = 60
const PAUSE_MS_MAX = 40

/**
 * Writes all statements as one transaction in one round trip, or none. Throws LostRace where one of the race
 * constraints is violated; violating any other is a defect, whose error is thrown as it is.
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
 * Loads, decides and commits again for as long as others are first.
 * @param attempt does all three; it throws LostRace when its commit came too late.
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

function isLostRace(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause.message.includes(RACE_TRIGGER)) return true
    const violated = /(?:UNIQUE|CHECK) constraint failed: (.+?)\s*$/.exec(cause.message)?.[1]
    if (violated !== undefined && RACE_CONSTRAINTS.includes(violated)) return true
  }
  return false
}
