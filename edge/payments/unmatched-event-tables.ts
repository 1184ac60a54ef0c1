import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { json, time } from '../platform/database/columns.ts'
import type { MandateEvent, PaymentEvent, RenewalEvent } from './provider.ts'
import { PAYBACK_STATES, type PaybackNotice } from './rules/payback.ts'
import { EVENT_OUTCOMES, EVENT_REASONS, UNMATCHED_KINDS } from './rules/unmatched-events.ts'

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
    reason: text('reason', { enum: EVENT_REASONS }).notNull().default('unknown'),
    /** null if the provider does not pay the money back. */
    payback: text('payback', { enum: PAYBACK_STATES }),
    /** What the email about the payback says; null if there is no payback. */
    paybackNotice: json('payback_notice').$type<PaybackNotice>(),
    /** The provider's reference for the payback; null until the provider has accepted it. */
    paybackReference: text('payback_reference'),
    /** When to poll the provider next; null unless the payback is in progress. */
    paybackPollAt: time('payback_poll_at'),
  },
  (table) => [
    unique('unmatched_events_event').on(table.provider, table.eventId),
    index('unmatched_events_open').on(table.provider, table.about).where(sql`settled_at IS NULL`),
    index('unmatched_events_payback').on(table.paybackPollAt).where(sql`payback_poll_at IS NOT NULL`),
    check('unmatched_events_once', sql`${table.settlements} IN (0, 1)`),
  ],
)
