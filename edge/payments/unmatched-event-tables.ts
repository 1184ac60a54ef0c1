import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { json, time } from '../platform/database/columns.ts'
import type { MandateEvent, PaymentEvent, RenewalEvent } from './provider.ts'
import { EVENT_OUTCOMES, UNMATCHED_KINDS } from './rules/unmatched-events.ts'

/**
 * Provider events about an unknown order or mandate. They stay until a payment creates the mandate or an
 * administrator settles them.
 */
export const unmatchedEvents = sqliteTable(
  'unmatched_events',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    provider: text('provider').notNull(),
    /** The provider's id of the event. */
    eventId: text('event_id').notNull(),
    kind: text('kind', { enum: UNMATCHED_KINDS }).notNull(),
    /** The provider's id of the order or mandate. */
    about: text('about').notNull(),
    event: json('event').$type<PaymentEvent | RenewalEvent | MandateEvent>().notNull(),
    occurredAt: time('occurred_at').notNull(),
    createdAt: time('created_at').notNull(),
    /** Ensures that only one of two concurrent commits settles the event. */
    settlements: integer('settlements').notNull().default(0),
    settledAt: time('settled_at'),
    outcome: text('outcome', { enum: EVENT_OUTCOMES }),
    note: text('note'),
  },
  (table) => [
    unique('unmatched_events_event').on(table.provider, table.eventId),
    index('unmatched_events_open').on(table.provider, table.about).where(sql`settled_at IS NULL`),
    check('unmatched_events_once', sql`${table.settlements} IN (0, 1)`),
  ],
)
