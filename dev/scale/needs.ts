import { type Assumed, type JobCosts, KINDS, type Measured } from './figures.ts'

/** What a number of jobs a day needs. Rates are those of the busiest minutes, money that of a month. */
export interface Needs {
  jobs_per_day: number
  jobs_per_second_peak: number
  /** Cores of the fleet in the busiest minutes. */
  fleet_cores: number
  /** Write transactions. */
  database_writes_per_second: number
  /** Databases of the measured machine that these writes fill. */
  databases: number
  database_gb_per_month: number
  /** The same with an archive, once history is as old as its retention. */
  archived_gb_per_month: number
  /** Share of the one core that a Redis uses. */
  redis_core_share: number
  /** Memory of the jobs that wait after an hour of the busiest minutes without a fleet. */
  redis_backlog_gb: number
  /** Share of the limit of the busiest queue. */
  queue_share: number
  storage_tb: number
  dollars_per_month: Dollars
}

export interface Dollars {
  fleet: number
  edge: number
  queues: number
  storage: number
  database: number
}

const DAY_SECONDS = 86_400
const MONTH_DAYS = 30
const HOUR_SECONDS = 3600
/** A message is written, read and deleted. */
const OPERATIONS_PER_MESSAGE = 3

/** Derives the needs from measured costs of a job and from assumptions about customers and prices. */
export function deriveNeeds(jobs_per_day: number, measured: Measured, assumed: Assumed): Needs {
  const { peak_factor, utilization } = assumed
  const average = averageOf(measured, assumed)
  const peak = (jobs_per_day / DAY_SECONDS) * peak_factor
  const writes = peak * measured.writes_per_job
  const needs = {
    jobs_per_day,
    jobs_per_second_peak: peak,
    fleet_cores: (peak * average('fleet_ms')) / 1000 / utilization,
    database_writes_per_second: writes,
    databases: Math.ceil(writes / (measured.database_commits_per_second * utilization)),
    database_gb_per_month: (jobs_per_day * MONTH_DAYS * average('database_bytes')) / 1e9,
    archived_gb_per_month: (jobs_per_day * MONTH_DAYS * measured.archived_job_bytes) / 1e9,
    redis_core_share: (peak * average('redis_ms')) / 1000,
    redis_backlog_gb: (peak * HOUR_SECONDS * measured.waiting_job_bytes) / 1e9,
    queue_share: (peak * assumed.messages_per_job) / assumed.queue_messages_per_second_max,
    storage_tb:
      (jobs_per_day * assumed.retention_days * average('input_bytes') * (1 + assumed.result_share)) / 1e12,
  }
  return { ...needs, dollars_per_month: priceOf(needs, measured, assumed) }
}

/** A part that cannot be made larger by adding processes, and the jobs a day that it can carry at most. */
export interface Limit {
  part: 'database' | 'fleet' | 'redis' | 'queue'
  jobs_per_day: number
}

/** Returns the limits of single parts, lowest first: the order in which they have to be replaced. */
export function deriveLimits(measured: Measured, assumed: Assumed): Limit[] {
  const { peak_factor, utilization } = assumed
  const average = averageOf(measured, assumed)
  const perDay = (jobs_per_second: number) => (jobs_per_second / peak_factor) * DAY_SECONDS
  const limits: Limit[] = [
    {
      part: 'database',
      jobs_per_day: perDay((measured.database_commits_per_second * utilization) / measured.writes_per_job),
    },
    { part: 'fleet', jobs_per_day: perDay((assumed.cores_max * utilization * 1000) / average('fleet_ms')) },
    { part: 'redis', jobs_per_day: perDay((utilization * 1000) / average('redis_ms')) },
    { part: 'queue', jobs_per_day: perDay(assumed.queue_messages_per_second_max / assumed.messages_per_job) },
  ]
  return limits.toSorted((one, other) => one.jobs_per_day - other.jobs_per_day)
}

/** Returns a function that averages a cost over the kinds of jobs, by their shares. */
function averageOf(measured: Measured, { mix }: Assumed) {
  return (cost: keyof JobCosts) => KINDS.reduce((sum, kind) => sum + mix[kind] * measured.jobs[kind][cost], 0)
}

function priceOf(needs: Omit<Needs, 'dollars_per_month'>, measured: Measured, assumed: Assumed): Dollars {
  const { prices, peak_factor } = assumed
  const millions = (needs.jobs_per_day * MONTH_DAYS) / 1e6
  // Machines are added and removed with the load, and are idle for a part of it.
  const cores = needs.fleet_cores * ((1 + 1 / peak_factor) / 2)
  const worker_ms = averageOf(measured, assumed)('worker_ms')
  return {
    fleet: cores * prices.core_hour * 24 * MONTH_DAYS,
    edge:
      millions *
      (assumed.requests_per_job * prices.million_requests +
        assumed.object_requests_per_job * prices.million_object_requests +
        worker_ms * prices.million_cpu_ms),
    // Each job is also one message of the dispatch queue.
    queues:
      millions * (assumed.messages_per_job + 1) * OPERATIONS_PER_MESSAGE * prices.million_queue_operations,
    storage:
      needs.storage_tb * 1000 * prices.storage_gb_month +
      millions *
        (assumed.storage_writes_per_job * prices.million_storage_writes +
          assumed.storage_reads_per_job * prices.million_storage_reads),
    database: needs.databases * prices.database_month,
  }
}
