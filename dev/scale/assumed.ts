import type { Assumed } from './figures.ts'

/** docs/scale.md explains these. Change them here, and `npm run scale` prints the tables again. */
export const ASSUMED: Assumed = {
  mix: { image: 0.6, thumbnail: 0.15, copy: 0.15, encode: 0.1 },
  peak_factor: 3,
  utilization: 0.7,
  retention_days: 3,
  result_share: 0.5,
  requests_per_job: 8,
  object_requests_per_job: 3,
  messages_per_job: 6,
  queue_messages_per_second_max: 5000,
  cores_max: 1500,
  storage_writes_per_job: 2,
  storage_reads_per_job: 4,
  prices: {
    // 3600 vCPU-seconds of 0.00002 dollars and 3 × 3600 GiB-seconds of 0.0000025 dollars.
    core_hour: 0.099,
    million_requests: 0.3,
    million_cpu_ms: 0.02,
    million_object_requests: 0.15,
    million_queue_operations: 0.4,
    storage_gb_month: 0.015,
    million_storage_writes: 4.5,
    million_storage_reads: 0.36,
    database_month: 100,
  },
}
