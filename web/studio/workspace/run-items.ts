import { effect, signal, untracked } from '@preact/signals'
import { type Job, MediaError, type StudioRunRequest } from '../../../client/src/index.ts'
import { media } from '../../api/media.ts'
import { isSignedIn } from '../../api/session.ts'
import { isSameOperation, items, type Operation, type Run, updateRun, type WorkItem } from './items.ts'
import { applyEvent, hasEnded, isOpen, isUnanswered, runsToSubmit } from './schedule.ts'

/** Jobs that the plans without payment allow at the same time. Further runs wait in the browser. */
const OPEN_MAX = { anonymous: 2, account: 4 }
/** Pause after the service has refused a run because other jobs of the caller are open, or a stream has broken. */
const RETRY_MS = 3000

/** Ids of the runs whose submission has no answer yet. */
const submitting = signal<ReadonlySet<string>>(new Set())
/** Ids of the runs whose job is followed. */
const following = signal<ReadonlySet<string>>(new Set())

const withId = (ids: ReadonlySet<string>, id: string) => new Set([...ids, id])
const withoutId = (ids: ReadonlySet<string>, id: string) => new Set([...ids].filter((each) => each !== id))

interface Place {
  item: WorkItem
  index: number
  run: Run
}

/**
 * Adds a run of the operation to each item. It starts as soon as the file of the item is uploaded. While the same run
 * of an item is open, a second one adds nothing: it would be a double click that is paid for.
 */
export function runOperation(targets: readonly WorkItem[], operation: Operation): void {
  for (const item of targets) {
    if (item.runs.value.some((run) => isOpen(run) && isSameOperation(run.operation, operation))) continue
    const run: Run = { id: crypto.randomUUID(), operation, job: null, error: null }
    item.runs.value = [...item.runs.value, run]
  }
}

/** Runs the operation of a run that has ended again, as a new run. */
export function repeatRun(item: WorkItem, index: number): void {
  const run = item.runs.value[index]
  if (run === undefined) return
  // With the same key, the service returns the job that the first submission may have started.
  if (isUnanswered(run)) updateRun(item, index, { error: null })
  else runOperation([item], run.operation)
}

export async function cancelRun(item: WorkItem, index: number): Promise<void> {
  const job = item.runs.value[index]?.job
  if (job) updateRun(item, index, { job: await media.value.jobs.cancel(job.id) })
}

/** Submits the runs whose files are uploaded, a few at a time, and follows their jobs. */
export function startRunning(): void {
  effect(() => {
    const places = listPlaces()
    const open_max = isSignedIn.value ? OPEN_MAX.account : OPEN_MAX.anonymous
    const facts = places.map(({ item, run }) => ({ key: run.id, upload: item.upload.value.status, run }))
    const ids = runsToSubmit(facts, submitting.value, open_max)
    for (const place of places) if (ids.includes(place.run.id)) untracked(() => void submit(place))
  })
  effect(() => {
    for (const place of listPlaces()) {
      const { id, job } = place.run
      const is_open = job && !hasEnded(job) && !following.value.has(id)
      if (is_open) untracked(() => void follow(place, job))
    }
  })
}

function listPlaces(): Place[] {
  return items.value.flatMap((item) => item.runs.value.map((run, index) => ({ item, index, run })))
}

async function submit({ item, index, run: { id, operation } }: Place): Promise<void> {
  submitting.value = withId(submitting.value, id)
  const { link, upload } = item
  const input = link === null ? { file_url: upload.value.url } : { url: link }
  const request = { ...operation, ...input } as StudioRunRequest
  try {
    // The key names the run, so repeating the submission after a reload creates no second job.
    const { job } = await media.value.studio.run(request, { idempotencyKey: id })
    updateRun(item, index, { job })
  } catch (error) {
    // Jobs of another tab or program are open.
    const is_postponed = error instanceof MediaError && error.code === 'too_many_jobs_in_flight'
    if (is_postponed) await pause(RETRY_MS)
    else updateRun(item, index, { error })
  }
  submitting.value = withoutId(submitting.value, id)
}

async function follow({ item, index, run: { id } }: Place, job: Job): Promise<void> {
  following.value = withId(following.value, id)
  try {
    for await (const event of media.value.jobs.events(job.id)) {
      updateRun(item, index, { job: applyEvent(item.runs.value[index]?.job ?? job, event) })
    }
  } catch (error) {
    if (isRefusal(error)) updateRun(item, index, { job: null, error })
    else await pause(RETRY_MS)
  }
  following.value = withoutId(following.value, id)
}

/** Checks whether the service will not show the job, however often it is asked. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof MediaError)) return false
  return error.status >= 400 && error.status < 500 && ![408, 429].includes(error.status)
}

const pause = (duration_ms: number) => new Promise<void>((resolve) => setTimeout(resolve, duration_ms))
