import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { accounts } from '../accounts/tables.ts'
import { time } from '../platform/database/columns.ts'

/** Buckets of customers, from which jobs import files and to which they export results. */
export const storageConnections = sqliteTable(
  'storage_connections',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    accountId: integer('account_id')
      .notNull()
      .references(() => accounts.id),
    /** Names the connection in `storage://NAME/KEY`. */
    name: text('name').notNull(),
    /** S3 endpoint without a trailing slash; the bucket is part of the path. */
    endpoint: text('endpoint').notNull(),
    region: text('region').notNull(),
    bucket: text('bucket').notNull(),
    /** Folder to which the connection is limited, without slashes around it; '' for the whole bucket. */
    prefix: text('prefix').notNull(),
    accessKeyId: text('access_key_id').notNull(),
    /** The secret access key, encrypted with STORAGE_KEYS. */
    sealedSecret: text('sealed_secret').notNull(),
    /** Name of the key that encrypted it; null in rows that were written before keys had names. */
    sealedWith: text('sealed_with'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [uniqueIndex('storage_connections_name').on(table.accountId, table.name)],
)
