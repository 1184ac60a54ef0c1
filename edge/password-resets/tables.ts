import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from '../accounts/tables.ts'
import { time } from '../platform/database/columns.ts'

/** Links that set a new password. A password change deletes all links of the account. */
export const passwordResets = sqliteTable(
  'password_resets',
  {
    /** Id of the request for the link, so that a repeated effect sends no second email. */
    requestId: text('request_id').primaryKey(),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    /** SHA-256 of the link's secret, which only the email contains. */
    tokenHash: text('token_hash').notNull().unique(),
    expiresAt: time('expires_at').notNull(),
  },
  (table) => [
    index('password_resets_account').on(table.accountId),
    index('password_resets_expiry').on(table.expiresAt),
  ],
)
