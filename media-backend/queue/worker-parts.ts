import type { Redis } from 'ioredis'
import type { JobParts } from '../job/job.ts'
import type { ReportQueue } from '../reports/report.ts'
import type { MediaQueues } from './queues.ts'

export interface WorkerParts extends JobParts {
  redis: Redis
  queues: MediaQueues
  reports: ReportQueue
}
