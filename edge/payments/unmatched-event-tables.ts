import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { json, time } from '../platform/database/columns.ts'
import type { MandateNews, PaymentNews, RenewalNews } from './provider.ts'
import { EVENT_OUTCOMES, UNMATCHED_KINDS } from './rules/unmatched-events.ts'

/**
 * Events of payment providers about an order or a mandate that is not known here, kept until a payment makes
 * the mandate known or an administrator settles them.
 */
export const unmatchedEvents = sqliteTable(
  'unmatched_events',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    provider: text('provider').notNull(),
    /** The provider's own name for the event. */
    eventId: text('event_id').notNull(),
    kind: text('kind', { enum: UNMATCHED_KINDS }).notNull(),
    /** The order or mandate, as the provider names it. */
    about: text('about').notNull(),
    event: json('event').$type<PaymentNews | RenewalNews | MandateNews>().notNull(),
    occurredAt: time('occurred_at').notNull(),
    createdAt: time('created_at').notNull(),
    /** Of two commits that settle the event only one goes through. */
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
