import type { Deps } from '../deps.ts'
import { commitOnce } from '../platform/unit-of-work.ts'
import { abortEffect } from './abort-effect.ts'
import { forgetUploadStatements } from './abort-parts.ts'
import { forgetPartsStatement, listExpiredPartUploads } from './part-queries.ts'

const ROWS_MAX = 100
/** A complete that was let in at the last moment is done by then. */
const GRACE_MS = 60_000

/**
 * Aborts uploads that nobody completed in time. Of those that are complete only the memory of their parts
 * goes; their files live on.
 */
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
