import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from '../accounts/tables.ts'
import { flag, json, time } from '../platform/database/columns.ts'
import type { NewsMessages } from './rules/news-messages.ts'
import { JOB_NOTIFICATIONS } from './rules/preferences.ts'

/** Which emails an account gets beside those about its money. Confirming its address begins them. */
export const emailPreferences = sqliteTable(
  'email_preferences',
  {
    accountId: integer('account_id')
      .primaryKey()
      .references(() => accounts.id),
    jobNotifications: text('job_notifications', { enum: JOB_NOTIFICATIONS }).notNull().default('daily'),
    productNews: flag('product_news').notNull().default(true),
    /** Random; whoever holds it can end these emails without signing in. */
    unsubscribeToken: text('unsubscribe_token').notNull().unique(),
    /** Jobs that finished until then were reported. */
    notifiedAt: time('notified_at').notNull(),
    /** When the next summary of finished jobs is due; null while nothing has finished. */
    dueAt: time('due_at'),
  },
  (table) => [index('email_preferences_due').on(table.dueAt)],
)

/** Product news on their way to all subscribers, in the order of their accounts. */
export const productNews = sqliteTable('product_news', {
  id: text('id').primaryKey(),
  /** By language: subject and text. */
  messages: json('messages').$type<NewsMessages>().notNull(),
  createdAt: time('created_at').notNull(),
  /** The last account that it was sent to. */
  lastAccountId: integer('last_account_id').notNull().default(0),
  finishedAt: time('finished_at'),
})
