import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { json, time } from '../database/columns.ts'

/**
 * Kinds of effects: job dispatch and cancellation, file removal, email, webhooks, refunds and mandate endings at
 * the payment provider, the closing of checkouts and paybacks there, bot replies, feedback relayed to a chat, requested password resets, the erasure of deleted
 * accounts, the cancellation of all jobs of an account, and credits for an account in another database.
 */
const EFFECT_KINDS = [
  ...(['dispatch', 'cancel', 'purge', 'abort', 'mail', 'webhook'] as const),
  ...(['refund', 'mandate', 'messenger', 'feedback'] as const),
  ...(['password_reset', 'erase', 'cancel_open', 'grant'] as const),
  ...(['checkout', 'payback'] as const),
] as const

/** Effects outside the database. They are written in the same batch as their cause and removed when acknowledged. */
export const outbox = sqliteTable(
  'outbox',
  {
    id: text('id').primaryKey(),
    kind: text('kind', { enum: EFFECT_KINDS }).notNull(),
    payload: json('payload').$type<object>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    dueAt: time('due_at').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('outbox_due').on(table.dueAt)],
)
