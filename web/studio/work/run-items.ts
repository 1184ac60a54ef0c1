import { effect, signal, untracked } from '@preact/signals'
import { type Job, MediaError, type StudioRunRequest } from '../../../client/src/index.ts'
import { media } from '../../api/media.ts'
import { isSignedIn } from '../../api/session.ts'
import { items, type Operation, type Run, updateRun, type WorkItem } from './items.ts'
import { applyEvent, hasEnded, runsToSubmit } from './schedule.ts'

/** Jobs that the plans without payment allow at the same time. Further runs wait in the browser. */
const OPEN_MAX = { anonymous: 2, account: 4 }
/** Pause after the service has refused a run because other jobs of the caller are open, or a stream has broken. */
const RETRY_MS = 3000

/** Keys of the runs whose submission has no answer yet. */
const submitting = signal<ReadonlySet<string>>(new Set())
/** Keys of the runs whose job is followed. */
const following = signal<ReadonlySet<string>>(new Set())

const withKey = (keys: ReadonlySet<string>, key: string) => new Set([...keys, key])
const withoutKey = (keys: ReadonlySet<string>, key: string) =>
  new Set([...keys].filter((each) => each !== key))

interface Place {
  key: string
  item: WorkItem
  index: number
}

/** Adds a run of the operation to each item. It starts as soon as the file of the item is uploaded. */
export function runOperation(targets: readonly WorkItem[], operation: Operation): void {
  const run: Run = { operation, job: null, error: null }
  for (const item of targets) item.runs.value = [...item.runs.value, run]
}

/** Runs the operation of a run that has ended again, as a new run. */
export function repeatRun(item: WorkItem, { operation }: Run): void {
  runOperation([item], operation)
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
    const facts = places.map(({ key, item, index }) => {
      return { key, upload: item.upload.value.status, run: item.runs.value[index] as Run }
    })
    const keys = runsToSubmit(facts, submitting.value, open_max)
    for (const place of places) if (keys.includes(place.key)) untracked(() => void submit(place))
  })
  effect(() => {
    for (const place of listPlaces()) {
      const job = place.item.runs.value[place.index]?.job
      const is_open = job && !hasEnded(job) && !following.value.has(place.key)
      if (is_open) untracked(() => void follow(place, job))
    }
  })
}

function listPlaces(): Place[] {
  return items.value.flatMap((item) =>
    item.runs.value.map((_, index) => ({ key: `${item.id}-${index}`, item, index })),
  )
}

async function submit({ key, item, index }: Place): Promise<void> {
  submitting.value = withKey(submitting.value, key)
  const { link, upload, runs } = item
  const input = link === null ? { file_url: upload.value.url } : { url: link }
  const request = { ...runs.value[index]?.operation, ...input } as StudioRunRequest
  try {
    // The key names the run, so repeating the submission after a reload creates no second job.
    const { job } = await media.value.studio.run(request, { idempotencyKey: key })
    updateRun(item, index, { job })
  } catch (error) {
    // Jobs of another tab or program are open.
    const is_postponed = error instanceof MediaError && error.code === 'too_many_jobs_in_flight'
    if (is_postponed) await pause(RETRY_MS)
    else updateRun(item, index, { error })
  }
  submitting.value = withoutKey(submitting.value, key)
}

async function follow({ key, item, index }: Place, job: Job): Promise<void> {
  following.value = withKey(following.value, key)
  try {
    for await (const event of media.value.jobs.events(job.id)) {
      updateRun(item, index, { job: applyEvent(item.runs.value[index]?.job ?? job, event) })
    }
  } catch (error) {
    if (error instanceof MediaError && error.status === 404) updateRun(item, index, { job: null, error })
    else await pause(RETRY_MS)
  }
  following.value = withoutKey(following.value, key)
}

const pause = (duration_ms: number) => new Promise<void>((resolve) => setTimeout(resolve, duration_ms))
