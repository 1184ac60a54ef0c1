import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from '../accounts/tables.ts'

/** Origins of web pages that may call the API with an account's credentials. */
export const allowedOrigins = sqliteTable(
  'allowed_origins',
  {
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    origin: text('origin').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.origin] }),
    index('allowed_origins_origin').on(table.origin),
  ],
)
