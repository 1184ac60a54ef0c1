import { LANES, type Lane } from '../../shared/planning/lanes.ts'
import type { Environment } from '../environment.ts'
import { errorText, log } from '../runtime/log.ts'
import { FORMER_QUEUES, type MediaQueues } from './queues.ts'
import { type MediaWorker, startWorker } from './worker.ts'
import type { WorkerParts } from './worker-parts.ts'

/** Accepts more image jobs than there are slots, so jobs waiting for memory do not block small ones in the queue. */
const IMAGE_JOBS_PER_PLACE = 4
/** A queue of an earlier version that is empty for this long is no longer served. */
const FORMER_IDLE_MS = 10 * 60 * 1000

/** Starts a worker for each lane that this process serves, and for the queues that an earlier version filled. */
export function startWorkers(parts: WorkerParts): MediaWorker {
  const { environment, queues } = parts
  const served = servedLanes(environment)
  const lanes = served.map((lane) => startWorker({ lane }, jobsOf(lane, environment), parts))
  const former = served.length === 0 ? [] : FORMER_QUEUES.map((name) => serveFormer(name, queues, parts))
  const all = [...lanes, ...former]
  return {
    cancel(job_id) {
      for (const worker of all) worker.cancel(job_id)
    },
    running: () => all.flatMap((worker) => worker.running()),
    async drain() {
      await Promise.all(all.map((worker) => worker.drain()))
    },
    async close() {
      await Promise.all(all.map((worker) => worker.close()))
    },
  }
}

/** Returns the lanes that a process with these settings serves. */
export function servedLanes(environment: Environment): Lane[] {
  return LANES.filter((lane) => jobsOf(lane, environment) > 0)
}

function jobsOf(lane: Lane, environment: Environment): number {
  return {
    image: environment.IMAGE_CONCURRENCY * IMAGE_JOBS_PER_PLACE,
    quick: environment.QUICK_CONCURRENCY,
    long: environment.LONG_CONCURRENCY,
    link: environment.LINK_CONCURRENCY,
  }[lane]
}

/** Serves a queue of an earlier version, if there is one, until it stays empty. */
function serveFormer(
  name: (typeof FORMER_QUEUES)[number],
  queues: MediaQueues,
  parts: WorkerParts,
): MediaWorker {
  const queue = queues.former[name]
  let worker: MediaWorker | null = null
  let is_closed = false
  let timer: NodeJS.Timeout | undefined
  async function check(): Promise<void> {
    const is_used =
      worker === null ? await isFilled() : (await queue.count()) + (await queue.getActiveCount()) > 0
    if (is_closed) return
    if (is_used && worker === null) worker = startWorker({ former: name }, 1, parts)
    if (!is_used && worker !== null) {
      await worker.close()
      worker = null
    }
  }
  const isFilled = async () => (await parts.redis.exists(queue.toKey('meta'))) === 1
  const repeat = () => {
    check()
      .catch((error: unknown) => log('former_queue_unknown', { queue: name, error: errorText(error) }))
      .finally(() => {
        // An earlier version may still run beside this one and fill the queue again.
        if (!is_closed) timer = setTimeout(repeat, FORMER_IDLE_MS).unref()
      })
  }
  repeat()
  const stopChecking = () => {
    is_closed = true
    clearTimeout(timer)
  }
  return {
    cancel: (job_id) => worker?.cancel(job_id),
    running: () => worker?.running() ?? [],
    async drain() {
      stopChecking()
      await worker?.drain()
    },
    async close() {
      stopChecking()
      await worker?.close()
    },
  }
}
