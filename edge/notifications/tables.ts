import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from '../accounts/tables.ts'
import { flag, json, time } from '../platform/database/columns.ts'
import type { NewsMessages } from './rules/news-messages.ts'
import { JOB_NOTIFICATIONS } from './rules/preferences.ts'

/** Which optional emails an account receives. The row is created when the account's address is confirmed. */
export const emailPreferences = sqliteTable(
  'email_preferences',
  {
    accountId: integer('account_id')
      .primaryKey()
      .references(() => accounts.id),
    jobNotifications: text('job_notifications', { enum: JOB_NOTIFICATIONS }).notNull().default('daily'),
    productNews: flag('product_news').notNull().default(true),
    /** A random token; anyone who has it can unsubscribe without signing in. */
    unsubscribeToken: text('unsubscribe_token').notNull().unique(),
    /** Only jobs that finish after this time will be reported. */
    notifiedAt: time('notified_at').notNull(),
    /** When the next summary of finished jobs is due; null if there is nothing to report. */
    dueAt: time('due_at'),
  },
  (table) => [index('email_preferences_due').on(table.dueAt)],
)

/** Product news, sent to all subscribers in order of account id. */
export const productNews = sqliteTable('product_news', {
  id: text('id').primaryKey(),
  /** Subject and text by language. */
  messages: json('messages').$type<NewsMessages>().notNull(),
  createdAt: time('created_at').notNull(),
  /** The last account that the news was sent to. */
  lastAccountId: integer('last_account_id').notNull().default(0),
  finishedAt: time('finished_at'),
})
