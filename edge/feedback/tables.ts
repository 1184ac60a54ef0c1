import { index, integer, primaryKey, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import { json, time } from '../platform/database/columns.ts'

/** Messages of the last days that were relayed, without their words: what the limits of the form go by. */
export const feedback = sqliteTable(
  'feedback',
  {
    /** One more than the last: of two messages that saw the same ones before, one has to look again. */
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** An account, or the keyed hash of an address. */
    sender: text('sender').notNull(),
    /** The keyed hash of an anonymous sender's network. */
    network: text('network'),
    messageHash: text('message_hash').notNull(),
    /** Days since 1970, in UTC. */
    day: integer('day').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    unique('feedback_once').on(table.day, table.messageHash),
    index('feedback_sender').on(table.sender, table.createdAt),
    index('feedback_network').on(table.network, table.createdAt),
    index('feedback_age').on(table.createdAt),
  ],
)

/** What web pages told of their visits. Kept for as long as the setting web_events_kept_days says. */
export const webEvents = sqliteTable(
  'web_events',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** The request that brought it, and its place there: a message that comes twice is taken once. */
    batch: text('batch').notNull(),
    number: integer('number').notNull(),
    visitorId: text('visitor_id'),
    name: text('name').notNull(),
    path: text('path'),
    referrer: text('referrer'),
    props: json('props'),
    /** When the page says it was; within a day of when it came. */
    occurredAt: time('occurred_at').notNull(),
    /** The day it came, in days since 1970. */
    day: integer('day').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [unique('web_events_once').on(table.batch, table.number), index('web_events_day').on(table.day)],
)

/** Web events added up by day, when the day is over; they outlive the events. */
export const webDays = sqliteTable(
  'web_days',
  {
    day: integer('day').notNull(),
    name: text('name').notNull(),
    /** '' where the event named none. */
    path: text('path').notNull(),
    events: integer('events').notNull(),
    visitors: integer('visitors').notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.name, table.path] })],
)
