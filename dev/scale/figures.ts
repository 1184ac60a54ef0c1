/** What a job of a kind costs, as `npm run costs` prints it. */
export interface JobCosts {
  fleet_ms: number
  worker_ms: number
  redis_ms: number
  database_ms: number
  database_bytes: number
  input_bytes: number
}

/** Photos resized, frames of videos, stream copies of videos, and encodes of 30 seconds of 1080p. */
export const KINDS = ['image', 'thumbnail', 'copy', 'encode'] as const
export type Kind = (typeof KINDS)[number]

/** Figures that scripts of this repository printed; docs/scale.md names the command and the machine of each. */
export interface Measured {
  jobs: Record<Kind, JobCosts>
  /** What an archived image job leaves in the first database once its history is deleted. */
  archived_job_bytes: number
  /** Memory of Redis. */
  waiting_job_bytes: number
  /** Write transactions, as edge/jobs/statement-count.test.ts counts them. */
  writes_per_job: number
  /** Submits with their reads, from 16 writers. */
  database_commits_per_second: number
}

/** List prices in dollars. */
export interface Prices {
  /** One core with 3 GiB of memory. */
  core_hour: number
  million_requests: number
  million_cpu_ms: number
  million_object_requests: number
  million_queue_operations: number
  storage_gb_month: number
  million_storage_writes: number
  million_storage_reads: number
  database_month: number
}

/** What no script here can measure; docs/scale.md gives the reason or the source of each. */
export interface Assumed {
  /** Share of each kind in all jobs. */
  mix: Record<Kind, number>
  /** Load of the busiest minutes, as a multiple of the average. */
  peak_factor: number
  /** Share of a machine or database that is used at most. */
  utilization: number
  retention_days: number
  /** Size of a result, as a share of its input. */
  result_share: number
  /** Requests to the edge: signed upload, submit, waiting, download, and reports of the fleet. */
  requests_per_job: number
  /** Requests to Durable Objects: leases of quotas, and progress. */
  object_requests_per_job: number
  /** Messages in the busiest queue: one record of each logged request. */
  messages_per_job: number
  queue_messages_per_second_max: number
  /** Cores of one account of Cloudflare Containers. */
  cores_max: number
  storage_writes_per_job: number
  storage_reads_per_job: number
  prices: Prices
}
