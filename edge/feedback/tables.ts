import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { json, time } from '../platform/database/columns.ts'

/** Messages relayed in recent days, without their text. The form's limits are based on them. */
export const feedback = sqliteTable(
  'feedback',
  {
    /** One higher than the last id, so one of two concurrent messages has to check the limits again. */
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** An account, or the keyed hash of an address. */
    sender: text('sender').notNull(),
    /** Keyed hash of an anonymous sender's network. */
    network: text('network'),
    /** Keyed hash of an anonymous sender's IPv6 block; null for other addresses. */
    block: text('block'),
    messageHash: text('message_hash').notNull(),
    /** Days since 1970, in UTC. */
    day: integer('day').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    unique('feedback_once').on(table.day, table.messageHash),
    index('feedback_sender').on(table.sender, table.createdAt),
    index('feedback_network').on(table.network, table.createdAt),
    index('feedback_block').on(table.block, table.createdAt).where(sql`block IS NOT NULL`),
    index('feedback_age').on(table.createdAt),
  ],
)

/** Analytics events from web pages. The setting web_events_kept_days controls retention. */
export const webEvents = sqliteTable(
  'web_events',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** The request that sent the event and the event's position in it, so a repeated message counts once. */
    batch: text('batch').notNull(),
    number: integer('number').notNull(),
    visitorId: text('visitor_id'),
    name: text('name').notNull(),
    path: text('path'),
    referrer: text('referrer'),
    props: json('props'),
    /** Time reported by the page, within a day of the event's arrival. */
    occurredAt: time('occurred_at').notNull(),
    /** Day of arrival, in days since 1970. */
    day: integer('day').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [unique('web_events_once').on(table.batch, table.number), index('web_events_day').on(table.day)],
)

/** Daily totals of web events, which are kept longer than the events. */
export const webDays = sqliteTable(
  'web_days',
  {
    day: integer('day').notNull(),
    name: text('name').notNull(),
    /** Empty for events without a path. */
    path: text('path').notNull(),
    events: integer('events').notNull(),
    visitors: integer('visitors').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.name, table.path] })],
)
