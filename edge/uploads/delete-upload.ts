import { notExists } from 'drizzle-orm'
import { type AccountCaller, ownsFile } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { purgeEffect } from '../jobs/purge-effect.ts'
import { openReaderQuery } from '../jobs/reader-queries.ts'
import { guardStatement } from '../platform/database/guard.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { unitOfWork } from '../platform/unit-of-work.ts'
import { abortEffect } from './abort-effect.ts'
import { findOpenParts, forgetPartsStatement } from './part-queries.ts'
import { deleteUploadStatements, uploadQuery } from './queries.ts'

/**
 * Deletes an upload of the caller with its file, whether it is complete or not. Jobs that have used it stay. Throws 404,
 * also for the upload of another account, and 409 while an open job reads it. Contract: Uploads, Delete.
 */
export function deleteUpload(deps: Deps, caller: AccountCaller, key: string): Promise<void> {
  const { db } = deps
  const reading = openReaderQuery(db, caller.account.id, key)
  return unitOfWork(deps, {
    load: async () => {
      const [[upload], parts, readers] = await Promise.all([
        uploadQuery(db, key),
        findOpenParts(db, key),
        reading,
      ])
      if (upload === undefined || !ownsFile(caller, upload)) throw new ApiError('upload_not_found')
      return { upload, parts, isRead: readers.length > 0 }
    },
    decide: ({ upload, parts, isRead }, now) => {
      if (upload.expiresAt <= now) throw new ApiError('upload_not_found')
      if (isRead) throw new ApiError('file_in_use')
      const isStarted = parts !== undefined && parts.uploadId !== ''
      return {
        statements: [
          guardStatement(db, notExists(reading)),
          ...deleteUploadStatements(db, [key], now),
          forgetPartsStatement(db, key),
        ],
        effects: [isStarted ? abortEffect(parts) : purgeEffect(`upload:${key}`, [key])],
        answer: undefined,
      }
    },
    sending: 'before answer',
  })
}
