import type { Deps } from '../deps.ts'
import type { StoredJob } from './queries.ts'
import type { JobSnapshot } from './rules/events.ts'
import { listMovesAndEnded, listProgress } from './watch-queries.ts'

/** A stream that was cut off is no longer asked for after this time. */
const WANTED_MS = 5000

/** A snapshot with the whole job, once that is over and changes no more. */
export type WatchedJob = JobSnapshot & { job: StoredJob | null }

interface Watched {
  snapshot: WatchedJob
  wanted_until: number
}

/**
 * What the streams of this isolate know together. They share what was read, never the reading: a request
 * that waited for another's work would be ended with it.
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

/** A job as it is now. It is kept from the first look on: one that is over is never looked at, and may be long. */
export async function readSnapshot(deps: Deps, id: string): Promise<WatchedJob> {
  const snapshot = (await readSnapshots(deps, [id], new Map())).get(id)
  if (snapshot === undefined) throw new Error('there is no such job')
  return snapshot
}

/**
 * What is known of a job, at most about two pauses old. One question answers for all the jobs that are
 * watched here, so that a thousand streams ask no more often than one.
 */
export async function lookAtJob(deps: Deps, id: string, known: WatchedJob, pause_ms: number) {
  const watch = watchOf(deps)
  const now = deps.clock.now()
  watch.jobs.set(id, { snapshot: watch.jobs.get(id)?.snapshot ?? known, wanted_until: now + WANTED_MS })
  if (now - watch.asked_at >= pause_ms) {
    watch.asked_at = now
    for (const [job, { wanted_until }] of watch.jobs) if (wanted_until < now) watch.jobs.delete(job)
    const before = new Map([...watch.jobs].map(([job, { snapshot }]) => [job, snapshot]))
    for (const [job, snapshot] of await readSnapshots(deps, [...before.keys()], before)) {
      const entry = watch.jobs.get(job)
      if (entry) entry.snapshot = snapshot
    }
  }
  return watch.jobs.get(id)?.snapshot ?? known
}

/** Reads how jobs stand; the histories only of those that came to another state, and those whole that are over. */
async function readSnapshots(
  { db }: Deps,
  ids: string[],
  before: ReadonlyMap<string, WatchedJob>,
): Promise<Map<string, WatchedJob>> {
  const rows = await listProgress(db, ids)
  const moved = rows.filter(({ id, moves }) => before.get(id)?.history.length !== moves).map(({ id }) => id)
  const [moves, over] = moved.length === 0 ? [[], []] : await listMovesAndEnded(db, moved)
  return new Map(
    rows.map(({ id, progress }) => {
      const known = before.get(id)
      if (known !== undefined && !moved.includes(id)) return [id, { ...known, progress }]
      const history = moves.filter(({ job_id }) => job_id === id)
      return [id, { history, progress, job: over.find((job) => job.id === id) ?? null }]
    }),
  )
}
