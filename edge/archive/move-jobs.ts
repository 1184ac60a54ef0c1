import type { Deps } from '../deps.ts'
import type { Database } from '../platform/database/client.ts'
import { commit } from '../platform/database/commit.ts'
import { DAY_MS } from '../platform/rules/days.ts'
import type { Place } from '../platform/rules/paging.ts'
import { untilNothingDue } from '../platform/until-nothing-due.ts'
import { loadSettings } from '../settings/queries.ts'
import {
  deleteBatchStatement,
  deleteJobStatement,
  hasAccounts,
  hasOldUsage,
  listFiles,
  listOldJobs,
  type OldJob,
  readRows,
  writeRows,
} from './queries.ts'
import { groupBySize } from './rules/group-by-size.ts'

/** The two databases, the time before which jobs move, and how many requests to the databases are left. */
interface Moving {
  db: Database
  archive: Database
  before: number
  requests_left: number
}

const ROWS_MAX = 100
/** A run of the Worker may send 1,000 requests, and its other tasks need most of them. */
const REQUESTS_MAX = 200

/**
 * Moves jobs and batches that ended long ago to the archive. Copies them before it deletes them, so that readers, who look
 * into the archive last, always find them. After a crash in between, the next run copies them again. A row that changed
 * after it was read stays for the next run. Contract: Limits, Archive.
 */
export async function moveOldJobs(deps: Deps): Promise<void> {
  const { db, archive, clock } = deps
  if (archive === null) return
  const now = clock.now()
  const { jobs_archived_after_days } = await loadSettings(db, now)
  const before = now - jobs_archived_after_days * DAY_MS
  const moving = { db, archive, before, requests_left: REQUESTS_MAX }
  if (await hasAccounts(archive)) throw new Error('The archive is a database with accounts.')
  if (await hasOldUsage(db, before)) return
  let after: Place = { at: 0, id: '' }
  await untilNothingDue(async () => {
    moving.requests_left -= 1
    const old = await listOldJobs(db, before, after, ROWS_MAX)
    await movePage(moving, old)
    after = old.at(-1) ?? after
    return old.length === ROWS_MAX && moving.requests_left > 0
  })
}

async function movePage(moving: Moving, old: readonly OldJob[]): Promise<void> {
  for (const { batch_id, is_batch_movable } of old) {
    if (moving.requests_left <= 0) return
    if (is_batch_movable && batch_id !== null) await moveBatch(moving, batch_id)
  }
  await moveJobs(
    moving,
    old.filter(({ is_movable }) => is_movable),
  )
}

async function moveJobs(moving: Moving, old: readonly Sized[]): Promise<void> {
  const { db, archive, before } = moving
  for (const ids of groupBySize(old)) {
    moving.requests_left -= 3
    const rows = await readRows(db, 'jobs', ids)
    await writeRows(archive, 'jobs', rows)
    await commit(
      db,
      rows.map((row) => deleteJobStatement(db, row, before)),
    )
  }
}

type Sized = Pick<OldJob, 'id' | 'bytes'>

/**
 * Copies a batch with all its files, and then deletes the batch before the files: readers who find it in the database in
 * use find all files there, too. Its files stay if the batch does.
 */
async function moveBatch(moving: Moving, batch_id: string): Promise<void> {
  const { db, archive, before } = moving
  // The list of its files, and reading, copying and deleting the batch.
  moving.requests_left -= 4
  const files = await listFiles(db, batch_id)
  for (const ids of groupBySize(files)) {
    moving.requests_left -= 2
    await writeRows(archive, 'jobs', await readRows(db, 'jobs', ids))
  }
  const batches = await readRows(db, 'batches', [batch_id])
  await writeRows(archive, 'batches', batches)
  await commit(
    db,
    batches.map((batch) => deleteBatchStatement(db, batch, before)),
  )
  await moveJobs(moving, files)
}
