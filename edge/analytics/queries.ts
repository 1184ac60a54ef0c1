import { sql } from 'drizzle-orm'
import type { Database, Statement } from '../platform/database/client.ts'
import { webEvents } from '../tables.ts'

export type NewWebEvent = Omit<typeof webEvents.$inferInsert, 'id'>

/** Writes events. If a message is repeated, its existing events stay unchanged. */
export function insertWebEventsStatement(db: Database, events: NewWebEvent[]): Statement {
  return db.insert(webEvents).values(events).onConflictDoNothing()
}

/**
 * Adds up the next completed day that is not yet in the totals.
 * @param today the current day, which has not ended.
 * @returns false if there is no such day.
 */
export async function rollUpWebDay(db: Database, today: number): Promise<boolean> {
  const [found] = await db.all<{ day: number | null }>(sql`
    SELECT min(day) AS day FROM web_events
    WHERE day > (SELECT coalesce(max(through), -1) FROM rollups WHERE name = 'web') AND day < ${today}`)
  const day = found?.day ?? null
  if (day === null) return false
  await db.batch([
    db.run(sql`
      INSERT INTO web_days (day, name, path, events, visitors)
      SELECT day, name, coalesce(path, ''), count(*), count(DISTINCT visitor_id) FROM web_events
      WHERE day = ${day} GROUP BY 1, 2, 3
      ON CONFLICT (day, name, path) DO UPDATE SET events = excluded.events, visitors = excluded.visitors`),
    db.run(sql`
      INSERT INTO rollups (name, through) VALUES ('web', ${day})
      ON CONFLICT (name) DO UPDATE SET through = max(through, excluded.through)`),
  ])
  return true
}
