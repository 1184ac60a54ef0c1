import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from '../dev/client.ts'
import { sendReport } from '../media-backend/reports/report.ts'
import type { JobReport } from '../shared/protocol/job-report.ts'
import { parseKeys } from '../shared/protocol/signature.ts'
import { type Measure, measureBoth } from './measure.ts'
import { openJob } from './open-job.ts'
import { medianOf } from './statistics.ts'
import type { BenchSystem } from './system.ts'

const LISTENERS = 100
const REPORTS_PER_ROUND = 12
const HEARD_MS_MAX = 10_000
/** The edge looks at open jobs about so often; reports are spread evenly over the time between two looks. */
const LOOK_MS = 250

/** How long a report of the fleet takes to many who follow the job, against to one. */
export const events: Measure = {
  name: 'events',
  title: `from a report to its event at ${LISTENERS} listeners of one job, the slowest of them, against one listener`,
  unit: 'ms',
  goal: 3,
  direction: 'at most',
  needsSystem: true,
  async open(bench) {
    const system = bench.system()
    const { client, account_id } = await system.openAccount()
    const measure = (listeners: number) => measureDelay(system, client, account_id, listeners)
    return {
      round: (order) =>
        measureBoth(
          order,
          () => measure(LISTENERS),
          () => measure(1),
        ),
      close: async () => {},
    }
  },
}

/** The median, over reports, of the time until the last listener has heard of it. */
async function measureDelay(
  system: BenchSystem,
  client: Client,
  account_id: number,
  listeners: number,
): Promise<number> {
  const job = await openJob(system.db, account_id)
  const audience = gatherAudience(client, job.id, listeners)
  const settings = { EDGE_URL: client.apiUrl, FLEET_KEYS: parseKeys(system.fleet_keys) }
  const report = async (content: { type: 'job.started' } | { type: 'job.progress'; progress: number }) => {
    const callback: JobReport = { ...content, job_id: job.id, fence: 1001, at: new Date().toISOString() }
    const { status } = await sendReport(callback, settings)
    if (status !== 200) throw new Error(`a report was answered ${status}`)
  }
  try {
    await audience.timeUntilHeard('"status":"queued"', async () => {})
    await audience.timeUntilHeard('"status":"processing"', () => report({ type: 'job.started' }))
    const delays: number[] = []
    for (let progress = 1; progress <= REPORTS_PER_ROUND; progress += 1) {
      await delay(((progress - 0.5) / REPORTS_PER_ROUND) * LOOK_MS)
      const words = `"progress":${progress}}`
      delays.push(await audience.timeUntilHeard(words, () => report({ type: 'job.progress', progress })))
    }
    return medianOf(delays)
  } finally {
    await audience.leave()
    await job.end()
  }
}

/** So many streams of one job's events. */
function gatherAudience(client: Client, job_id: string, listeners: number) {
  const leaving = new AbortController()
  const counts = new Map<string, { left: number; heardByAll: PromiseWithResolvers<void> }>()
  const countOf = (words: string) => {
    const known = counts.get(words) ?? { left: listeners, heardByAll: Promise.withResolvers<void>() }
    counts.set(words, known)
    return known
  }
  const hear = (words: string) => {
    const count = countOf(words)
    count.left -= 1
    if (count.left === 0) count.heardByAll.resolve()
  }
  const streams = Array.from({ length: listeners }, () => listen(client, job_id, leaving.signal, hear))
  const ended = Promise.all(streams).then(() => {
    throw new Error('the streams ended before the job')
  })
  ended.catch(() => undefined)
  return {
    /** From the beginning of `cause` until every listener has heard these words, in milliseconds. */
    async timeUntilHeard(words: string, cause: () => Promise<void>): Promise<number> {
      const start = performance.now()
      await cause()
      const limit = delay(HEARD_MS_MAX, undefined, { signal: leaving.signal }).then(() => {
        throw new Error(`not every listener has received ${words} after ${HEARD_MS_MAX} ms`)
      })
      limit.catch(() => undefined)
      await Promise.race([countOf(words).heardByAll.promise, ended, limit])
      return performance.now() - start
    },
    async leave(): Promise<void> {
      leaving.abort()
      await Promise.allSettled(streams)
    },
  }
}

const WORDS = /"status":"\w+"|"progress":\d+\}$/

/** Follows a job; tells of each state and progress as its words in the event. */
async function listen(
  client: Client,
  job_id: string,
  signal: AbortSignal,
  hear: (words: string) => void,
): Promise<void> {
  const headers = { authorization: `Bearer ${client.token}` }
  const response = await fetch(new URL(`/api/v1/jobs/${job_id}/events`, client.apiUrl), { headers, signal })
  if (response.status !== 200 || response.body === null) {
    throw new Error(`a listener was answered ${response.status}`)
  }
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [words] = WORDS.exec(block) ?? []
      if (words !== undefined) hear(words)
    }
  }
}
