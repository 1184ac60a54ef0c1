import type { Deps } from '../deps.ts'
import { commitOnce } from '../platform/unit-of-work.ts'
import { untilNothingDue } from '../platform/until-nothing-due.ts'
import { abortEffect } from './abort-effect.ts'
import { forgetUploadStatements } from './abort-parts.ts'
import { forgetPartsStatement, listExpiredPartUploads, type PartUpload } from './part-queries.ts'

const ROWS_MAX = 100
/** Grace period for a completion that started at the last moment. */
const GRACE_MS = 60_000

/** Aborts expired multipart uploads. For completed ones, only the part data is deleted; the files stay. */
export function abortUnusedUploads(deps: Deps): Promise<void> {
  return untilNothingDue(async () => (await abortSome(deps)) === ROWS_MAX)
}

async function abortSome(deps: Deps): Promise<number> {
  const { db, clock } = deps
  const expired = await listExpiredPartUploads(db, clock.now() - GRACE_MS, ROWS_MAX)
  const checked = await Promise.all(
    expired.map(async ({ parts, isWanted }) => ({
      parts,
      // A client with a signature may have completed an upload after it was deleted.
      isComplete: isWanted && (await isComplete(deps, parts)),
    })),
  )
  const unused = checked.filter(({ isComplete }) => !isComplete).map(({ parts }) => parts)
  const complete = checked.filter(({ isComplete }) => isComplete)
  const statements = [
    ...unused.flatMap((parts) => forgetUploadStatements(deps, parts)),
    ...complete.map(({ parts }) => forgetPartsStatement(db, parts.key)),
  ]
  // An upload without an id was never started at storage, so it has no parts.
  const effects = unused.filter(({ uploadId }) => uploadId !== '').map(abortEffect)
  return commitOnce(deps, { statements, effects, answer: expired.length }, 'in task')
}

/** Checks whether an upload was completed, here or directly at storage. */
async function isComplete({ storage }: Deps, { key, completedAt }: PartUpload): Promise<boolean> {
  return completedAt !== null || (await storage.exists(key))
}
