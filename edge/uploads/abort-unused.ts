import type { Deps } from '../deps.ts'
import { commitOnce } from '../platform/unit-of-work.ts'
import { abortEffect } from './abort-effect.ts'
import { forgetUploadStatements } from './abort-parts.ts'
import { forgetPartsStatement, listExpiredPartUploads } from './part-queries.ts'

const ROWS_MAX = 100
/** Grace period for a completion that started at the last moment. */
const GRACE_MS = 60_000

/** Aborts expired multipart uploads. For completed ones, only the part data is deleted; the files stay. */
export async function abortUnusedUploads(deps: Deps): Promise<void> {
  const { db, clock } = deps
  const expired = await listExpiredPartUploads(db, clock.now() - GRACE_MS, ROWS_MAX)
  const unused = expired.filter(({ completedAt }) => completedAt === null)
  const complete = expired.filter(({ completedAt }) => completedAt !== null)
  const statements = [
    ...unused.flatMap((parts) => forgetUploadStatements(deps, parts)),
    ...complete.map(({ key }) => forgetPartsStatement(db, key)),
  ]
  await commitOnce(deps, { statements, effects: unused.map(abortEffect), answer: null }, 'in task')
}
