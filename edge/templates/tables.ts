import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { accounts } from '../accounts/tables.ts'
import { json, time } from '../platform/database/columns.ts'
import type { TemplateOperation } from './rules/content.ts'

/** Named chains of operations that an account has saved. */
export const templates = sqliteTable(
  'templates',
  {
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    name: text('name').notNull(),
    description: text('description'),
    /** The latest version. */
    version: integer('version').notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.name] })],
)

/** The contents of templates. A version is never changed. */
export const templateVersions = sqliteTable(
  'template_versions',
  {
    accountId: integer('account_id').notNull(),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    serviceSlug: text('service_slug').notNull(),
    operations: json('operations').$type<TemplateOperation[]>().notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.name, table.version] })],
)
