import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from '../accounts/tables.ts'
import { json, time } from '../platform/database/columns.ts'

/** Log of administrative changes. Append-only. */
export const audit = sqliteTable(
  'audit',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    administratorId: integer('administrator_id')
      .notNull()
      .references(() => accounts.id),
    action: text('action').notNull(),
    /** The object that was changed, such as `plan:3`, `setting:refund_policy_days` or `order:…`. */
    target: text('target').notNull(),
    before: json('before'),
    after: json('after'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('audit_target').on(table.target, table.id)],
)
