import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { time } from '../platform/database/columns.ts'

/** Uploads that come in by parts, each beside its row in `uploads`, until the time for sending parts is over. */
export const partUploads = sqliteTable(
  'part_uploads',
  {
    key: text('key').primaryKey(),
    /** Storage's name for it. */
    uploadId: text('upload_id').notNull(),
    /** Of every part but the last. */
    partBytes: integer('part_bytes').notNull(),
    partCount: integer('part_count').notNull(),
    createdAt: time('created_at').notNull(),
    /** Until then parts are taken; what is not complete by then is aborted. */
    expiresAt: time('expires_at').notNull(),
    completedAt: time('completed_at'),
  },
  (table) => [index('part_uploads_expiry').on(table.expiresAt)],
)
