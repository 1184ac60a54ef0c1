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
const RECEIVE_TIMEOUT_MS = 10_000
/** Approximate interval at which the edge polls open jobs. Reports are spread evenly over it. */
const POLL_INTERVAL_MS = 250

/** Compares the delay from a fleet report to its event for a job with many listeners and for a job with one. */
export const events: Measure = {
  name: 'events',
  title: `delay from a report to its event at the slowest of ${LISTENERS} listeners of one job, against a single listener`,
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

/** Measures the median delay until the last listener has received the event of a report. */
async function measureDelay(
  system: BenchSystem,
  client: Client,
  account_id: number,
  listeners: number,
): Promise<number> {
  const job = await openJob(system.db, account_id)
  const streams = openStreams(client, job.id, listeners)
  const settings = { EDGE_URL: client.apiUrl, FLEET_KEYS: parseKeys(system.fleet_keys) }
  const report = async (content: { type: 'job.started' } | { type: 'job.progress'; progress: number }) => {
    const jobReport: JobReport = { ...content, job_id: job.id, fence: 1001, at: new Date().toISOString() }
    const { status } = await sendReport(jobReport, settings)
    if (status !== 200) throw new Error(`The edge responded to a report with status ${status}`)
  }
  try {
    await streams.timeUntilReceived('"status":"queued"', async () => {})
    await streams.timeUntilReceived('"status":"processing"', () => report({ type: 'job.started' }))
    const delays: number[] = []
    for (let progress = 1; progress <= REPORTS_PER_ROUND; progress += 1) {
      await delay(((progress - 0.5) / REPORTS_PER_ROUND) * POLL_INTERVAL_MS)
      const state = `"progress":${progress}}`
      delays.push(await streams.timeUntilReceived(state, () => report({ type: 'job.progress', progress })))
    }
    return medianOf(delays)
  } finally {
    await streams.close()
    await job.close()
  }
}

/** Opens `listeners` event streams for one job. */
function openStreams(client: Client, job_id: string, listeners: number) {
  const closing = new AbortController()
  const counts = new Map<string, { remaining: number; receivedByAll: PromiseWithResolvers<void> }>()
  const countOf = (state: string) => {
    const count = counts.get(state) ?? { remaining: listeners, receivedByAll: Promise.withResolvers<void>() }
    counts.set(state, count)
    return count
  }
  const onEvent = (state: string) => {
    const count = countOf(state)
    count.remaining -= 1
    if (count.remaining === 0) count.receivedByAll.resolve()
  }
  const streams = Array.from({ length: listeners }, () => listen(client, job_id, closing.signal, onEvent))
  const ended = Promise.all(streams).then(() => {
    throw new Error('The event streams ended before the job')
  })
  ended.catch(() => undefined)
  return {
    /** Calls `trigger` and returns how many milliseconds pass until every listener has received this state. */
    async timeUntilReceived(state: string, trigger: () => Promise<void>): Promise<number> {
      const start = performance.now()
      await trigger()
      const timeout = delay(RECEIVE_TIMEOUT_MS, undefined, { signal: closing.signal }).then(() => {
        throw new Error(`Not every listener received ${state} within ${RECEIVE_TIMEOUT_MS} ms`)
      })
      timeout.catch(() => undefined)
      await Promise.race([countOf(state).receivedByAll.promise, ended, timeout])
      return performance.now() - start
    },
    async close(): Promise<void> {
      closing.abort()
      await Promise.allSettled(streams)
    },
  }
}

const STATE_PATTERN = /"status":"\w+"|"progress":\d+\}$/

/** Streams the events of a job. Calls `onEvent` with the status or progress of each event that has one. */
async function listen(
  client: Client,
  job_id: string,
  signal: AbortSignal,
  onEvent: (state: string) => void,
): Promise<void> {
  const headers = { authorization: `Bearer ${client.token}` }
  const response = await fetch(new URL(`/api/v1/jobs/${job_id}/events`, client.apiUrl), { headers, signal })
  if (response.status !== 200 || response.body === null) {
    throw new Error(`The event stream responded with status ${response.status}`)
  }
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const [state] = STATE_PATTERN.exec(block) ?? []
      if (state !== undefined) onEvent(state)
    }
  }
}
