import type { Deps } from '../deps.ts'
import type { StoredJob } from './queries.ts'
import type { JobSnapshot } from './rules/events.ts'
import { listProgress, listTransitionsAndEnded } from './watch-queries.ts'

/** Maximum time for which a job is still polled after its stream closes. */
const WANTED_MS = 5000

/** A snapshot that includes the whole job once it is finished. */
export type WatchedJob = JobSnapshot & { job: StoredJob | null }

interface Watched {
  snapshot: WatchedJob
  watched_until: number
}

/**
 * State shared by the streams in this isolate. Streams share results but never a pending read, because the runtime
 * cancels a read along with the request that started it.
 */
interface Watch {
  jobs: Map<string, Watched>
  asked_at: number
}

const watches = new WeakMap<Deps['db'], Watch>()

function watchOf({ db }: Deps): Watch {
  const known = watches.get(db)
  if (known) return known
  const made: Watch = { jobs: new Map(), asked_at: 0 }
  watches.set(db, made)
  return made
}

/** Reads the current state of a job. */
export async function readSnapshot(deps: Deps, id: string): Promise<WatchedJob> {
  const snapshot = (await readSnapshots(deps, [id], new Map())).get(id)
  if (snapshot === undefined) throw new Error('there is no such job')
  return snapshot
}

/**
 * Returns the state of a job, at most about two pauses old. One query covers all watched jobs in the isolate, so a
 * thousand streams query no more often than one.
 */
export async function lookAtJob(deps: Deps, id: string, known: WatchedJob, pause_ms: number) {
  const watch = watchOf(deps)
  const now = deps.clock.now()
  watch.jobs.set(id, { snapshot: watch.jobs.get(id)?.snapshot ?? known, watched_until: now + WANTED_MS })
  if (now - watch.asked_at >= pause_ms) {
    watch.asked_at = now
    for (const [job, { watched_until }] of watch.jobs) if (watched_until < now) watch.jobs.delete(job)
    const before = new Map([...watch.jobs].map(([job, { snapshot }]) => [job, snapshot]))
    for (const [job, snapshot] of await readSnapshots(deps, [...before.keys()], before)) {
      const entry = watch.jobs.get(job)
      if (entry) entry.snapshot = snapshot
    }
  }
  return watch.jobs.get(id)?.snapshot ?? known
}

/**
 * Reads the progress of jobs. Loads the history only of jobs that changed, and the row only of jobs that finished;
 * a finished job may be large but never changes again.
 */
async function readSnapshots(
  { db }: Deps,
  ids: string[],
  before: ReadonlyMap<string, WatchedJob>,
): Promise<Map<string, WatchedJob>> {
  const rows = await listProgress(db, ids)
  const changed = rows
    .filter(({ id, transitions }) => before.get(id)?.history.length !== transitions)
    .map(({ id }) => id)
  const [transitions, over] = changed.length === 0 ? [[], []] : await listTransitionsAndEnded(db, changed)
  return new Map(
    rows.map(({ id, progress }) => {
      const known = before.get(id)
      if (known !== undefined && !changed.includes(id)) return [id, { ...known, progress }]
      const history = transitions.filter(({ job_id }) => job_id === id)
      return [id, { history, progress, job: over.find((job) => job.id === id) ?? null }]
    }),
  )
}
