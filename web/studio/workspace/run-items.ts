import { batch, effect, signal, untracked } from '@preact/signals'
import type { Job, StudioRunRequest } from '../../../client/src/index.ts'
import { media } from '../../api/media.ts'
import { isSignedIn, owner } from '../../api/session.ts'
import { hasEnded } from '../../jobs/job-state.ts'
import { items, type Operation, type Run, updateRun, type WorkItem } from './items.ts'
import {
  applyEvent,
  findFailed,
  findPostponement,
  findRepetition,
  isHeld,
  isRefusal,
  isUnanswered,
  type Postponement,
  runsToSubmit,
} from './schedule.ts'

/** Jobs that the plans without payment allow at the same time. Further runs wait in the browser. */
const OPEN_MAX = { anonymous: 2, account: 4 }
/** Pause after a stream of events has broken. */
const RETRY_MS = 3000

/** Ids of the runs whose submission has no answer yet. */
const submitting = signal<ReadonlySet<string>>(new Set())
/** Ids of the runs whose job is followed. */
const following = signal<ReadonlySet<string>>(new Set())
/** Why nothing is submitted now, and until when; null while runs are submitted. */
export const postponed = signal<(Postponement & { until_ms: number }) | null>(null)

const withId = (ids: ReadonlySet<string>, id: string) => new Set([...ids, id])
const withoutId = (ids: ReadonlySet<string>, id: string) => new Set([...ids].filter((each) => each !== id))

interface Place {
  item: WorkItem
  run: Run
}

/**
 * Adds a run of the operation to each item. It starts as soon as the file of the item is uploaded. While the same run
 * of an item is open, a second one adds nothing: it would be a double click that is paid for. Nor is what is done
 * repeated, unless the user asks for it.
 */
export function runOperation(targets: readonly WorkItem[], operation: Operation, isAgain = false): void {
  // One change for all: with many files, each would concern the whole page.
  batch(() => {
    for (const { runs } of targets) {
      const repetition = findRepetition(runs.value, operation, Date.now())
      if (repetition === 'open' || (repetition === 'done' && !isAgain)) continue
      const run: Run = { id: crypto.randomUUID(), owner: owner.value, operation, job: null, error: null }
      runs.value = [...runs.value, run]
    }
  })
}

/** Runs the operation of a run that has ended again, as a new run. */
export function repeatRun(item: WorkItem, run: Run): void {
  // The upload of a removed file may have to be repeated, too.
  item.is_removed.value = false
  // With the same key, the service returns the job that the first submission may have started.
  if (isUnanswered(run) && run.owner === owner.value) updateRun(item, run.id, { error: null })
  else runOperation([item], run.operation, true)
}

/** Lists the failed runs that were not started again, of all inputs. */
export function listFailed(): Place[] {
  return items.value.flatMap((item) => findFailed(item.runs.value).map((run) => ({ item, run })))
}

/** Starts everything again that has failed. */
export function retryFailed(): void {
  batch(() => {
    for (const { item, run } of listFailed()) repeatRun(item, run)
  })
}

export async function cancelRun(item: WorkItem, { id, job }: Run): Promise<void> {
  if (job) updateRun(item, id, { job: await media.value.jobs.cancel(job.id) })
}

/** Checks whether a run has not been sent to the service, so that removing it stops it. */
export function isUnsent({ id, job }: Run): boolean {
  return job === null && !submitting.value.has(id)
}

/** Lists the runs that wait because another user of this browser has started them, or a visitor. */
export function listHeld(): Run[] {
  return listPlaces().flatMap(({ run }) => (isHeld(run, owner.value) ? [run] : []))
}

/** Lets the current user pay for the runs that wait since before the sign-in. */
export function adoptRuns(): void {
  batch(() => {
    for (const { item, run } of listPlaces()) {
      if (isHeld(run, owner.value)) updateRun(item, run.id, { owner: owner.value })
    }
  })
}

/** Submits the runs whose files are uploaded, a few at a time, and follows their jobs. */
export function startRunning(): void {
  effect(() => {
    if (postponed.value !== null) return
    const places = listPlaces()
    const open_max = isSignedIn.value ? OPEN_MAX.account : OPEN_MAX.anonymous
    const facts = places.map(({ item, run }) => ({ key: run.id, upload: item.upload.value.status, run }))
    const ids = new Set(runsToSubmit(facts, owner.value, submitting.value, open_max))
    for (const place of places) if (ids.has(place.run.id)) untracked(() => void submit(place))
  })
  effect(() => {
    for (const place of listPlaces()) {
      const { id, job } = place.run
      if (job === null || hasEnded(job) || following.value.has(id)) continue
      if (canRead(place.run)) untracked(() => void follow(place, job))
    }
  })
  addEventListener('online', () => {
    postponed.value = null
  })
}

/** Jobs of an account are shown to its sessions, those of visitors to everyone. */
const canRead = (run: Run) => run.owner === null || run.owner === owner.value

function listPlaces(): Place[] {
  return items.value.flatMap((item) => item.runs.value.map((run) => ({ item, run })))
}

async function submit({ item, run: { id, operation, owner: payer } }: Place): Promise<void> {
  submitting.value = withId(submitting.value, id)
  const { link, upload } = item
  const input = link === null ? { file_url: upload.value.url } : { url: link }
  const request = { ...operation, ...input } as StudioRunRequest
  try {
    // The key names the run, so repeating the submission after a reload creates no second job.
    const { job } = await media.value.studio.run(request, { idempotencyKey: id })
    updateRun(item, id, { job })
  } catch (error) {
    const postponement = findPostponement(error)
    if (postponement !== null) postpone(postponement)
    // A run whose session has ended waits for the next sign-in.
    else if (payer === owner.value) updateRun(item, id, { error })
  }
  submitting.value = withoutId(submitting.value, id)
}

function postpone(postponement: Postponement): void {
  const current = { ...postponement, until_ms: Date.now() + postponement.wait_ms }
  postponed.value = current
  setTimeout(() => {
    if (postponed.value === current) postponed.value = null
  }, postponement.wait_ms)
}

async function follow({ item, run }: Place, job: Job): Promise<void> {
  const { id } = run
  following.value = withId(following.value, id)
  const current = () => item.runs.value.find((each) => each.id === id)?.job ?? job
  try {
    for await (const event of media.value.jobs.events(job.id)) {
      updateRun(item, id, { job: applyEvent(current(), event) })
    }
  } catch (error) {
    if (!isRefusal(error)) await pause(RETRY_MS)
    else if (canRead(run)) updateRun(item, id, { job: null, error })
  }
  following.value = withoutId(following.value, id)
}

const pause = (duration_ms: number) => new Promise<void>((resolve) => setTimeout(resolve, duration_ms))
