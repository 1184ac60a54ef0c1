import { effect, untracked } from '@preact/signals'
import { type Job, MediaError, type StudioRunRequest } from '../../../client/src/index.ts'
import { media } from '../../api/media.ts'
import { items, type Operation, type Run, updateRun, type WorkItem } from './items.ts'

/** Further runs wait in the browser, so that a folder of files does not exceed the limits of a plan. */
const CONCURRENT_RUNS = 4

/** Adds a run of the operation to each item. It starts as soon as the file of the item is uploaded. */
export function runOperation(targets: readonly WorkItem[], operation: Operation): void {
  const run: Run = { operation, job: null, error: null }
  for (const item of targets) item.runs.value = [...item.runs.value, run]
}

/** Runs a failed or canceled run of an item again, as a new run. */
export function repeatRun(item: WorkItem, { operation }: Run): void {
  runOperation([item], operation)
}

export async function cancelRun(item: WorkItem, index: number): Promise<void> {
  const job = item.runs.value[index]?.job
  if (job) updateRun(item, index, { job: await media.value.jobs.cancel(job.id) })
}

/** Submits the runs whose files are uploaded, a few at a time, and follows their jobs. */
export function startRunning(): () => void {
  return effect(() => {
    const runs = items.value.flatMap((item) =>
      item.runs.value.map((run, index) => ({ item, run, index, upload: item.upload.value.status })),
    )
    const open = runs.filter(({ run }) => run.job !== null && !hasEnded(run.job))
    const ready = runs.filter(({ item, run, index, upload }) => {
      return (
        upload === 'done' && run.job === null && run.error === null && !submitting.has(keyOf(item, index))
      )
    })
    for (const { item, index, run } of open) untracked(() => void follow(item, index, run.job as Job))
    const free = CONCURRENT_RUNS - open.length - submitting.size
    for (const { item, index } of ready.slice(0, Math.max(0, free))) untracked(() => void submit(item, index))
  })
}

/** Runs whose submission has no answer yet. */
const submitting = new Set<string>()
/** Runs whose job is followed. */
const following = new Set<string>()

const keyOf = (item: WorkItem, index: number) => `${item.id}-${index}`

async function submit(item: WorkItem, index: number): Promise<void> {
  const operation = item.runs.value[index]?.operation
  if (operation === undefined) return
  const key = keyOf(item, index)
  submitting.add(key)
  const { link, upload } = item
  const input = link === null ? { file_url: upload.value.url ?? '' } : { url: link }
  try {
    // Naming the run lets the submission be repeated after a reload without a second job.
    const request = { ...operation, ...input } as StudioRunRequest
    const { job } = await media.value.studio.run(request, { idempotencyKey: key })
    submitting.delete(key)
    updateRun(item, index, { job })
  } catch (error) {
    submitting.delete(key)
    updateRun(item, index, { error })
  }
}

async function follow(item: WorkItem, index: number, job: Job): Promise<void> {
  const key = keyOf(item, index)
  if (following.has(key)) return
  following.add(key)
  try {
    let current = job
    for await (const event of media.value.jobs.events(job.id)) {
      if (event.type === 'progress') current = { ...current, progress: event.progress }
      else current = event.job ?? { ...current, status: event.status }
      updateRun(item, index, { job: current })
    }
    if (!hasEnded(current)) updateRun(item, index, { job: await media.value.jobs.get(job.id) })
  } catch (error) {
    if (error instanceof MediaError && error.status === 404) updateRun(item, index, { job: null, error })
  } finally {
    following.delete(key)
  }
}

export function hasEnded({ status }: Pick<Job, 'status'>): boolean {
  return status === 'done' || status === 'failed' || status === 'canceled'
}
