import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { time } from '../platform/database/columns.ts'

/** Multipart uploads, each with a row in `uploads`, until the time for sending parts has ended. */
export const partUploads = sqliteTable(
  'part_uploads',
  {
    key: text('key').primaryKey(),
    /**
     * The upload id assigned by storage. '' until a client that creates the upload at storage itself names the id;
     * see edge/uploads/sign-s3.ts.
     */
    uploadId: text('upload_id').notNull(),
    /** Size of each part except the last. */
    partBytes: integer('part_bytes').notNull(),
    partCount: integer('part_count').notNull(),
    createdAt: time('created_at').notNull(),
    /** Parts are accepted until this time. Uploads that are still incomplete are then aborted. */
    expiresAt: time('expires_at').notNull(),
    completedAt: time('completed_at'),
  },
  (table) => [index('part_uploads_expiry').on(table.expiresAt)],
)
