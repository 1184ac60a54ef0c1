import type { InStatement, Row } from '@libsql/client/web'
import { causeOfGrant, grantEffectId } from '../payments/rules/unmatched-events.ts'
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

/** Each finds which of the values, a JSON list, a database has. */
const KNOWN = {
  pending: `SELECT id AS value FROM outbox WHERE id IN (SELECT value FROM json_each(?))`,
  booked: `SELECT cause AS value FROM ledger WHERE cause IN (SELECT value FROM json_each(?))`,
  applied: `SELECT json_array(provider, id) AS value FROM payment_events
    WHERE (provider, id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
  terms: `SELECT json_array(provider, mandate) AS value FROM subscriptions
    WHERE (provider, mandate) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?))`,
  accounts: 'SELECT id AS value FROM accounts WHERE id IN (SELECT value FROM json_each(?))',
} as const

/** The events were read before: an effect that is committed later is pending in the outbox, or has its result. */
async function readFacts(
  databases: readonly Database[],
  database: number,
  rows: readonly Row[],
): Promise<EventFacts[]> {
  const find = async (kind: keyof typeof KNOWN, values: readonly unknown[]) => {
    const query = { sql: KNOWN[kind], args: [JSON.stringify(values)] }
    const found = await Promise.all(databases.map(({ $client }) => $client.execute(query)))
    return new Set(found.flatMap((answer) => answer.rows.map(({ value }) => String(value))))
  }
  const events = rows.map(readEvent)
  const causes = events.flatMap((each) => each.causes)
  const [pending, booked] = [await find('pending', causes.map(grantEffectId)), await find('booked', causes)]
  const [applied, terms, accounts] = await Promise.all([
    find(
      'applied',
      events.map(({ event_key }) => event_key),
    ),
    find(
      'terms',
      events.map(({ mandate_key }) => mandate_key),
    ),
    find(
      'accounts',
      events.flatMap(({ grant }) => grant?.account_id ?? []),
    ),
  ])
  return events.map(({ id, outcome, causes: [cause, former], event_key, mandate_key, grant }) => ({
    ...{ database, id, cause, outcome },
    is_pending: pending.has(grantEffectId(cause)) || pending.has(grantEffectId(former)),
    is_booked: booked.has(cause) || booked.has(former),
    is_applied: applied.has(JSON.stringify(event_key)),
    has_term: terms.has(JSON.stringify(mandate_key)),
    grant: grant !== null && accounts.has(String(grant.account_id)) ? grant : null,
  }))
}

function readEvent(row: Row) {
  const event = JSON.parse(String(row.event)) as UnmatchedEvent['event']
  const [id, provider, about] = [Number(row.id), String(row.provider), String(row.about)]
  // Before its cause named the payment, it was the id of the row.
  const causes = [causeOfGrant({ id, provider, about, event }), `unmatched_event:${id}`] as const
  return {
    ...{ id, causes, outcome: row.outcome === null ? null : String(row.outcome) },
    event_key: [provider, String(row.event_id)],
    mandate_key: [provider, about],
    grant:
      row.account_id === null
        ? null
        : { account_id: Number(row.account_id), credits: Number(row.credits), note: String(row.note) },
  }
}

function repairStatement(torn: TornEvent, now: number): InStatement {
  switch (torn.fault) {
    case 'not_granted': {
      const { account_id, credits, note } = torn.grant
      const { cause } = torn
      return {
        sql: `INSERT INTO outbox (id, kind, payload, created_at, due_at) VALUES (?, 'grant', ?, ?, ?)
          ON CONFLICT DO NOTHING`,
        args: [grantEffectId(cause), JSON.stringify({ account_id, credits, cause, note }), now, now],
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
