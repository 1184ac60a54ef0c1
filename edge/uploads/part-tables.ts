import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { time } from '../platform/database/columns.ts'

/** Multipart uploads, each with a row in `uploads`, until the time for sending parts is over. */
export const partUploads = sqliteTable(
  'part_uploads',
  {
    key: text('key').primaryKey(),
    /** Upload id of the storage. */
    uploadId: text('upload_id').notNull(),
    /** Size of every part except the last. */
    partBytes: integer('part_bytes').notNull(),
    partCount: integer('part_count').notNull(),
    createdAt: time('created_at').notNull(),
    /** Parts are accepted until this time; incomplete uploads are then aborted. */
    expiresAt: time('expires_at').notNull(),
    completedAt: time('completed_at'),
  },
  (table) => [index('part_uploads_expiry').on(table.expiresAt)],
)
