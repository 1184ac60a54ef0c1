import type { InStatement, Row } from '@libsql/client/web'
import { causeOfGrant } from '../payments/rules/unmatched-events.ts'
import type { UnmatchedEvent } from '../payments/unmatched-event-queries.ts'
import type { Database } from '../platform/database/client.ts'
import { type EventFacts, judgeEvent, type TornEvent } from './rules/torn-events.ts'

const EVENTS_AT_ONCE = 500

/**
 * Finds unmatched events that are settled in one database, and have no effect in that of the account, or the reverse: the
 * two were restored from backups of different times.
 */
export async function findTornEvents(databases: readonly Database[]): Promise<TornEvent[]> {
  const found: TornEvent[] = []
  for (const db of databases) {
    for (let after = -1; ; ) {
      const { rows } = await db.$client.execute({ sql: EVENTS, args: [after, EVENTS_AT_ONCE] })
      const facts = await readFacts(databases, db.$number, rows)
      found.push(...facts.flatMap((each) => judgeEvent(each) ?? []))
      if (rows.length < EVENTS_AT_ONCE) break
      after = Number(rows.at(-1)?.id)
    }
  }
  return found
}

/** Mends torn events: what was lost is done again, and what was done is settled. Repeating it changes nothing. */
export async function repairEvents(databases: readonly Database[], now: number): Promise<TornEvent[]> {
  const torn = await findTornEvents(databases)
  for (const each of torn) await databases[each.database]?.$client.execute(repairStatement(each, now))
  return torn
}

const EVENTS = `SELECT e.id, e.provider, e.event_id, e.about, e.event, e.outcome,
    a."after" ->> 'account_id' AS account_id, a."after" ->> 'credits' AS credits, a."after" ->> 'note' AS note
  FROM unmatched_events e
  LEFT JOIN audit a ON a.target = 'unmatched_event:' || e.id AND a.action = 'unmatched_event.settle'
  WHERE e.id > ? AND (e.outcome IS NULL OR e.outcome IN ('applied', 'granted')) ORDER BY e.id LIMIT ?`

/** The events were read before: an effect that is committed later is pending in the outbox, or has its result. */
async function readFacts(
  databases: readonly Database[],
  database: number,
  rows: readonly Row[],
): Promise<EventFacts[]> {
  const events = rows.map((row) => {
    const event = JSON.parse(String(row.event)) as UnmatchedEvent['event']
    const [id, provider, about] = [Number(row.id), String(row.provider), String(row.about)]
    return { row, id, provider, cause: causeOfGrant({ id, provider, about, event }) }
  })
  // Before its cause named the payment, it was the id of the row.
  const causesOf = ({ id, cause }: { id: number; cause: string }) => [cause, `unmatched_event:${id}`]
  const causes = JSON.stringify(events.flatMap(causesOf))
  const ids = JSON.stringify(rows.map(({ provider, event_id }) => [provider, event_id]))
  const accounts = JSON.stringify(rows.map(({ account_id }) => account_id))
  const answers = await Promise.all(
    databases.map(({ $client }) =>
      $client.batch(
        [
          {
            sql: `SELECT id AS value FROM outbox WHERE id IN (SELECT 'grant:' || value FROM json_each(?))`,
            args: [causes],
          },
          {
            sql: 'SELECT cause AS value FROM ledger WHERE cause IN (SELECT value FROM json_each(?))',
            args: [causes],
          },
          {
            sql: `SELECT provider || ':' || id AS value FROM payment_events
              WHERE (provider, id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
            args: [ids],
          },
          {
            sql: 'SELECT id AS value FROM accounts WHERE id IN (SELECT value FROM json_each(?))',
            args: [accounts],
          },
        ],
        'read',
      ),
    ),
  )
  const [pending, booked, applied, present] = [0, 1, 2, 3].map(
    (index) =>
      new Set(answers.flatMap((answer) => (answer[index]?.rows ?? []).map(({ value }) => String(value)))),
  )
  return events.map(({ row, id, provider, cause }) => ({
    ...{ database, id, cause, outcome: row.outcome === null ? null : String(row.outcome) },
    is_pending: causesOf({ id, cause }).some((each) => pending?.has(`grant:${each}`)),
    is_booked: causesOf({ id, cause }).some((each) => booked?.has(each)),
    is_applied: applied?.has(`${provider}:${row.event_id}`) ?? false,
    grant:
      row.account_id === null || !present?.has(String(row.account_id))
        ? null
        : { account_id: Number(row.account_id), credits: Number(row.credits), note: String(row.note) },
  }))
}

function repairStatement(torn: TornEvent, now: number): InStatement {
  switch (torn.fault) {
    case 'not_granted': {
      const { account_id, credits, note } = torn.grant
      const { cause } = torn
      return {
        sql: `INSERT INTO outbox (id, kind, payload, created_at, due_at) VALUES (?, 'grant', ?, ?, ?)
          ON CONFLICT DO NOTHING`,
        args: [`grant:${cause}`, JSON.stringify({ account_id, credits, cause, note }), now, now],
      }
    }
    case 'not_applied':
      return {
        sql: `UPDATE unmatched_events SET settled_at = NULL, outcome = NULL, settlements = 0
          WHERE id = ? AND outcome = 'applied'`,
        args: [torn.id],
      }
    case 'not_settled':
      return {
        sql: `UPDATE unmatched_events SET settled_at = ?, outcome = 'granted', settlements = 1,
          note = 'Granted before a restore.' WHERE id = ? AND settled_at IS NULL`,
        args: [now, torn.id],
      }
  }
}
