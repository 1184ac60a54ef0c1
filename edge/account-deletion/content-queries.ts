import { and, asc, eq, gt, inArray, or } from 'drizzle-orm'
import { ERASED_CONTENT } from '../jobs/erased-content.ts'
import type { Database } from '../platform/database/client.ts'
import { batches, jobs, templates, templateVersions, uploadSessions } from '../tables.ts'
import { deleteDeliveriesStatements } from '../webhooks/delete-queries.ts'

/** The last job of a page. */
export interface JobCursor {
  createdAt: number
  id: string
}

/**
 * Erases the content of the next jobs of an account.
 * @returns the last erased job; undefined if there are no more.
 */
export async function eraseJobs(
  db: Database,
  accountId: number,
  after: JobCursor | undefined,
  limit: number,
): Promise<JobCursor | undefined> {
  const { createdAt, id } = jobs
  const page = db
    .select({ id })
    .from(jobs)
    .where(
      and(
        eq(jobs.accountId, accountId),
        after && or(gt(createdAt, after.createdAt), and(eq(createdAt, after.createdAt), gt(id, after.id))),
      ),
    )
    .orderBy(asc(createdAt), asc(id))
    .limit(limit)
  const erased = await db
    .update(jobs)
    .set(ERASED_CONTENT)
    .where(inArray(id, page))
    .returning({ createdAt, id })
  return erased.toSorted(compareCursors).at(-1)
}

const compareCursors = (one: JobCursor, other: JobCursor) =>
  one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1)

/** Erases the data that an account entered in its batches and upload links. */
export async function eraseOther(db: Database, accountId: number): Promise<void> {
  await db.batch([
    db
      .update(batches)
      .set({ params: {}, error: null, webhookUrl: null, tag: null, metadata: {}, template: null })
      .where(eq(batches.accountId, accountId)),
    db.delete(templateVersions).where(eq(templateVersions.accountId, accountId)),
    db.delete(templates).where(eq(templates.accountId, accountId)),
    db
      .update(uploadSessions)
      .set({ params: {}, note: null, error: null, webhookUrl: null, tag: null, metadata: {} })
      .where(eq(uploadSessions.accountId, accountId)),
    ...deleteDeliveriesStatements(db, accountId),
  ])
}
