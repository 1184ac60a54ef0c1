import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Outcome } from '../../shared/protocol/job-report.ts'
import type { IsolationLevel } from '../runtime/check-isolation.ts'
import { childCpuSeconds } from '../runtime/child-cpu.ts'

/** Metrics of the jobs that this process runs. Labels never name a customer, a file or a job. */
export const jobRegistry = new Registry()
collectDefaultMetrics({ register: jobRegistry })

const registers = [jobRegistry]

const finished = new Counter({
  name: 'fleet_jobs_finished_total',
  help: 'Jobs that ended, by operation, lane and result: done, or the error code.',
  labelNames: ['operation', 'lane', 'result'] as const,
  registers,
})
const seconds = new Histogram({
  name: 'fleet_job_seconds',
  help: 'Time from the pickup of an attempt to its end.',
  labelNames: ['operation', 'lane'] as const,
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 7200, 14_400, 28_800],
  registers,
})
const waits = new Histogram({
  name: 'fleet_job_wait_seconds',
  help: 'Time that a job waited in its lane before it was picked up.',
  labelNames: ['lane'] as const,
  buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300, 600, 1800, 3600],
  registers,
})
const bytes = new Counter({
  name: 'fleet_result_bytes_total',
  help: 'Size of all result files.',
  labelNames: ['operation'] as const,
  registers,
})
const retried = new Counter({
  name: 'fleet_attempts_failed_total',
  help: 'Attempts that ended with an internal error, which are retried.',
  labelNames: ['operation', 'lane'] as const,
  registers,
})
const isolated = new Gauge({
  name: 'fleet_decoder_isolation',
  help: 'Whether decoders are kept from files, the network, other ports and signals: 1, or 0 (docs/isolation.md).',
  labelNames: ['from'] as const,
  registers,
})
const storageRetries = new Counter({
  name: 'fleet_storage_retries_total',
  help: 'Requests to which the object storage did not respond, and which are sent again.',
  registers,
})
const handedOver = new Counter({
  name: 'fleet_jobs_handed_over_total',
  help: 'Quick jobs that turned out to be long.',
  labelNames: ['operation'] as const,
  registers,
})
const segments = new Counter({
  name: 'fleet_segments_total',
  help: 'Segments of long videos that this process encoded for jobs of other workers, by result.',
  labelNames: ['operation', 'result'] as const,
  registers,
})
new Counter({
  name: 'fleet_child_cpu_seconds_total',
  help: 'CPU time of the programs that jobs run.',
  labelNames: ['operation'] as const,
  registers,
  collect() {
    this.reset()
    for (const [operation, spent] of childCpuSeconds()) this.inc({ operation }, spent)
  },
})

/** What a metric says about an attempt. */
export interface MeasuredAttempt {
  operation: string
  lane: string
  started_at: Date
}

export function countOutcome({ operation, lane, started_at }: MeasuredAttempt, outcome: Outcome): void {
  finished.inc({ operation, lane, result: resultOf(outcome) })
  seconds.observe({ operation, lane }, (Date.now() - started_at.getTime()) / 1000)
  if (outcome.status === 'done')
    bytes.inc(
      { operation },
      outcome.files.reduce((sum, file) => sum + file.size_bytes, 0),
    )
}

/** Inputs that are refused for their length are no sign of a slow worker, unlike jobs that reach the time limit. */
function resultOf(outcome: Outcome): string {
  if (outcome.status === 'done') return 'done'
  return outcome.reason?.name === 'run_too_long' ? 'run_too_long' : outcome.error_code
}

export function countWait(lane: string, wait_seconds: number): void {
  waits.observe({ lane }, Math.max(0, wait_seconds))
}

export function countFailedAttempt({ operation, lane }: MeasuredAttempt): void {
  retried.inc({ operation, lane })
}

export function countStorageRetry(): void {
  storageRetries.inc()
}

export function countHandover({ operation }: MeasuredAttempt): void {
  handedOver.inc({ operation })
}

export function countSegment(operation_key: string, result: 'done' | 'failed'): void {
  segments.inc({ operation: `video/${operation_key}`, result })
}

/** Shows what decoders are kept from. */
export function countIsolation(level: IsolationLevel): void {
  for (const [from, is_kept] of Object.entries(level)) isolated.set({ from }, is_kept ? 1 : 0)
}
