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

/** The two databases, and the time before which jobs move. */
interface Moving {
  db: Database
  archive: Database
  before: number
}

const ROWS_MAX = 100
/** A page is a few requests to the databases, and a run of the Worker may send 1,000 requests. */
const PAGES_MAX = 40

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
  const moving = { db, archive, before: now - jobs_archived_after_days * DAY_MS }
  if (await hasAccounts(archive)) throw new Error('The archive is a database with accounts.')
  if (await hasOldUsage(db, moving.before)) return
  let after: Place = { at: 0, id: '' }
  let pages = 0
  await untilNothingDue(async () => {
    const old = await listOldJobs(db, moving.before, after, ROWS_MAX)
    await movePage(moving, old)
    after = old.at(-1) ?? after
    pages += 1
    return old.length === ROWS_MAX && pages < PAGES_MAX
  })
}

async function movePage(moving: Moving, old: readonly OldJob[]): Promise<void> {
  for (const { batch_id, is_batch_movable } of old) {
    if (is_batch_movable && batch_id !== null) await moveBatch(moving, batch_id)
  }
  await moveJobs(
    moving,
    old.filter(({ is_movable }) => is_movable),
  )
}

async function moveJobs({ db, archive, before }: Moving, old: readonly Sized[]): Promise<void> {
  for (const ids of groupBySize(old)) {
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
  const files = await listFiles(db, batch_id)
  for (const ids of groupBySize(files)) await writeRows(archive, 'jobs', await readRows(db, 'jobs', ids))
  const batches = await readRows(db, 'batches', [batch_id])
  await writeRows(archive, 'batches', batches)
  await commit(
    db,
    batches.map((batch) => deleteBatchStatement(db, batch, before)),
  )
  await moveJobs(moving, files)
}
