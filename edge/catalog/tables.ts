import { integer, sqliteTable, text, unique } from 'drizzle-orm/sqlite-core'
import type { Preset } from '../../shared/planning/operation.ts'
import { flag, json } from '../platform/database/columns.ts'

/** The operation settings that administrators can change at run time. Everything else is in shared/operations. */
export const operations = sqliteTable(
  'operations',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    serviceSlug: text('service_slug').notNull(),
    operationKey: text('operation_key').notNull(),
    enabled: flag('enabled').notNull(),
    creditsPerCall: integer('credits_per_call').notNull(),
    presets: json('presets').$type<Preset[]>().notNull(),
  },
  (table) => [unique('operations_address').on(table.serviceSlug, table.operationKey)],
)

/** Contains only values that differ from the defaults in edge/settings/rules/settings.ts. */
export const settings = sqliteTable('settings', {
  name: text('name').primaryKey(),
  value: json('value').notNull(),
})
