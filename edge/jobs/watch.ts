import type { Deps } from '../deps.ts'
import { readById } from '../platform/database/archive.ts'
import { SharedWatch } from '../platform/shared-watch.ts'
import { withProgress } from './progress/with-progress.ts'
import type { StoredJob } from './queries.ts'
import type { JobSnapshot } from './rules/events.ts'
import { listProgress, listTransitionsAndEnded } from './watch-queries.ts'

/** A snapshot that includes the whole job once it is finished. */
export type WatchedJob = JobSnapshot & { job: StoredJob | null }

const watch = new SharedWatch(readSnapshots)

/** Reads the current state of a job. */
export async function readSnapshot(deps: Deps, id: string): Promise<WatchedJob> {
  const snapshot = (await readSnapshots(deps, [id], new Map())).get(id)
  if (snapshot === undefined) throw new Error('there is no such job')
  return snapshot
}

/** Returns the state of a job, at most about two polling intervals old. All watchers in the isolate share the cost. */
export function lookAtJob(deps: Deps, id: string, known: WatchedJob, pause_ms: number): Promise<WatchedJob> {
  return watch.look(deps, id, known, pause_ms)
}

/**
 * Reads the progress of jobs. Loads the history only of jobs that changed, and the row only of jobs that finished;
 * a finished job may be large but never changes again.
 */
async function readSnapshots(
  deps: Deps,
  ids: string[],
  before: ReadonlyMap<string, WatchedJob>,
): Promise<Map<string, WatchedJob>> {
  const rows = await withProgress(deps, await readById(deps, ids, listProgress))
  const changed = rows.filter(({ id, transitions }) => before.get(id)?.history.length !== transitions)
  const [transitions, over] = changed.length === 0 ? [[], []] : await listTransitionsAndEnded(deps, changed)
  return new Map(
    rows.map(({ id, progress }) => {
      const known = before.get(id)
      if (known !== undefined && !changed.some((row) => row.id === id)) return [id, { ...known, progress }]
      const history = transitions.filter(({ job_id }) => job_id === id)
      return [id, { history, progress, job: over.find((job) => job.id === id) ?? null }]
    }),
  )
}
