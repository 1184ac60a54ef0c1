import { Queue, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { JobReport, JobReportResponse } from '../../shared/protocol/job-report.ts'
import { signRequest } from '../../shared/protocol/signature.ts'
import { Traceparent } from '../../shared/protocol/traceparent.ts'
import type { Environment } from '../environment.ts'
import { FORMER_PREFIX, KEPT, logErrors, prefixOf, REPORTS_QUEUE } from '../queue/queues.ts'
import { errorText, log } from '../runtime/log.ts'
import { currentTraceparent } from '../runtime/trace.ts'
import type { Storage } from '../storage/storage.ts'
import { postJson } from './post-json.ts'

const SENDING_MS_MAX = 10_000
/** The worker waits this long for the first response; after that, the report is retried in the background. */
const FIRST_SENDING_MS_MAX = 2000
const CONCURRENCY = 32
const REPORT = { to: 'edge', method: 'POST', path: '/internal/callbacks' } as const
const PAUSES_MS = [200, 500, 1000, 2000, 5000, 10_000, 20_000]
const PAUSE_MS_MAX = 30_000

/** The trace of a report that waits in Redis. */
const KeptTrace = z.object({ traceparent: Traceparent })

type Settings = Pick<Environment, 'EDGE_URL' | 'FLEET_KEYS'>

export interface ReportAnswer {
  status: number
  /** null if the response is not from the edge. */
  continue: boolean | null
}

/** Sends one report with a fresh signature. The ID is the same in every attempt, so the edge recognizes a repeat. */
export async function sendReport(
  report: JobReport,
  settings: Settings,
  { signal, traceparent }: { signal?: AbortSignal; traceparent?: string | undefined } = {},
): Promise<ReportAnswer> {
  // In the order of the schema, also if the report waited in Redis: the edge compares the text of a repeat.
  const body = JSON.stringify(JobReport.parse(report))
  const limit = AbortSignal.timeout(SENDING_MS_MAX)
  const { status, text } = await postJson(new URL(`${settings.EDGE_URL}${REPORT.path}`), {
    headers: {
      ...signRequest(settings.FLEET_KEYS, REPORT, { id: reportId(report), body }),
      ...(traceparent !== undefined && { traceparent }),
    },
    body,
    signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
  })
  const answer = JobReportResponse.safeParse(parseJson(text))
  return { status, continue: answer.success ? answer.data.continue : null }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function reportId(report: JobReport): string {
  const id = `${report.job_id}.${report.fence}.${report.type}`
  // Repetitions of unchanged progress are separate reports.
  return report.type === 'job.progress' ? `${id}.${report.progress}.${Date.parse(report.at)}` : id
}

/** Delivers reports reliably. */
export interface ReportQueue {
  /**
   * Sends the report immediately. If that fails, the report stays in Redis, even across restarts, until it is
   * accepted.
   */
  deliver(report: JobReport): Promise<void>
  /** The reports in Redis, for metrics. */
  queue: Queue<JobReport>
  close(): Promise<void>
}

export function openReportQueue(connection: Redis, settings: Settings, storage: Storage): ReportQueue {
  const queue = new Queue<JobReport>(REPORTS_QUEUE, { connection, prefix: prefixOf(REPORTS_QUEUE) })
  queue.on('error', logErrors('queue reports'))
  async function keep(report: JobReport): Promise<void> {
    const traceparent = currentTraceparent()
    await queue.add(
      report.type,
      { ...report, ...(traceparent !== undefined && { traceparent }) },
      {
        jobId: reportId(report),
        attempts: Number.MAX_SAFE_INTEGER,
        backoff: { type: 'custom' },
        removeOnComplete: KEPT,
      },
    )
  }
  return {
    async deliver(report) {
      try {
        const signal = AbortSignal.timeout(FIRST_SENDING_MS_MAX)
        const answer = await sendReport(report, settings, { signal, traceparent: currentTraceparent() })
        await settle(report, answer, storage)
      } catch (error) {
        log('report_deferred', { id: reportId(report), error: errorText(error) })
        await keep(report)
      }
    },
    queue,
    close: () => queue.close(),
  }
}

/** Returns the delay after the nth failed delivery: short at first, then 30 s indefinitely. */
export function pauseAfter(attempts_made: number): number {
  return PAUSES_MS[attempts_made - 1] ?? PAUSE_MS_MAX
}

export interface ReportSender {
  close(): Promise<void>
}

/** An earlier version may still run beside this one, and leave reports under its own keys at any time. */
const FORMER_CHECK_MS = 10 * 60 * 1000

/** Sends the reports in Redis, also those that an earlier version leaves under its own keys. */
export function startReportSender(
  connection: Redis,
  settings: Environment,
  storage: Storage,
  former_check_ms = FORMER_CHECK_MS,
): ReportSender {
  const closing = new AbortController()
  const { signal } = closing
  const start = (prefix: string) => startSending(prefix, connection, settings, storage, signal)
  const workers = [start(prefixOf(REPORTS_QUEUE))]
  let timer: NodeJS.Timeout | undefined
  async function checkFormer(): Promise<void> {
    const found = await connection.exists(`${FORMER_PREFIX}:${REPORTS_QUEUE}:meta`).catch(logUnknown)
    if (signal.aborted) return
    if (found === 1) workers.push(start(FORMER_PREFIX))
    else timer = setTimeout(checkFormer, former_check_ms).unref()
  }
  checkFormer()
  return {
    async close() {
      closing.abort(new Error('the fleet is closing'))
      clearTimeout(timer)
      await Promise.all(workers.map((worker) => worker.close()))
    },
  }
}

function logUnknown(error: unknown): void {
  log('former_queue_unknown', { queue: REPORTS_QUEUE, error: errorText(error) })
}

function startSending(
  prefix: string,
  connection: Redis,
  settings: Environment,
  storage: Storage,
  signal: AbortSignal,
): Worker<unknown> {
  const worker = new Worker<unknown>(
    REPORTS_QUEUE,
    async (job) => {
      const report = JobReport.parse(job.data)
      const { traceparent } = KeptTrace.parse(job.data)
      await settle(report, await sendReport(report, settings, { signal, traceparent }), storage)
    },
    {
      connection,
      prefix,
      concurrency: CONCURRENCY,
      lockDuration: settings.LOCK_SECONDS * 1000,
      stalledInterval: settings.LOCK_SECONDS * 500,
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      runRetryDelay: 1000,
      settings: { backoffStrategy: (attempts_made) => pauseAfter(attempts_made) },
    },
  )
  worker.on('error', logErrors('worker reports'))
  worker.on('failed', (job, error) => log('report_retried', { id: job?.id, error: errorText(error) }))
  return worker
}

/**
 * Handles a response: 2xx means that the report is accepted, 404 and 409 that it is no longer needed. Throws for
 * all other statuses, so the report is retried.
 */
async function settle(report: JobReport, answer: ReportAnswer, storage: Storage): Promise<void> {
  if (answer.status >= 200 && answer.status < 300) return
  if (answer.status !== 404 && answer.status !== 409)
    throw new Error(`the edge responded with ${answer.status}`)
  log('report_superseded', { id: reportId(report), status: answer.status })
  const superseded = answer.status === 409 && answer.continue === false
  if (superseded && report.type === 'job.finished' && report.outcome.status === 'done') {
    await Promise.all(report.outcome.files.map(({ key }) => storage.remove(key)))
  }
}
