import type { JobReport } from '../../shared/protocol/job-report.ts'
import type { Random } from '../requests/random.ts'

/** A report with the id of its delivery, as the fleet sends it. */
export interface Delivery {
  id: string
  report: JobReport
}

const FENCES = [1001, 1002, 2001]
const COPIES_MAX = 3

/** Makes the reports of up to three attempts at a job, each delivered up to three times, in any order. */
export function makeDeliveries(random: Random, job_id: string, account_id: number): Delivery[] {
  const at = new Date().toISOString()
  const attempts = FENCES.slice(0, random.int(1, FENCES.length))
  const reports = attempts.flatMap((fence): JobReport[] => [
    { type: 'job.started', job_id, fence, at },
    { type: 'job.progress', job_id, fence, at, progress: random.int(1, 99) },
    {
      type: 'job.finished',
      job_id,
      fence,
      at,
      account_id,
      started_at: at,
      outcome: outcomeOf(random, job_id, fence),
    },
  ])
  const deliveries = reports.flatMap((report) =>
    Array.from({ length: random.int(1, COPIES_MAX) }, () => ({
      id: `${job_id}.${report.fence}.${report.type}`,
      report,
    })),
  )
  return shuffle(random, deliveries)
}

function outcomeOf(random: Random, job_id: string, fence: number) {
  if (random.chance(0.3))
    return {
      status: 'failed' as const,
      processing_seconds: 1,
      error: 'The file is damaged.',
      error_code: 'input_unreadable' as const,
    }
  const key = `results/${job_id}/${fence}/dot.png`
  const file = { key, filename: 'dot.png', content_type: 'image/png', size_bytes: 1, sha256: '0'.repeat(64) }
  return { status: 'done' as const, processing_seconds: 1, files: [file], body: {} }
}

function shuffle<Item>(random: Random, items: Item[]): Item[] {
  const left = [...items]
  return items.map(() => left.splice(random.int(0, left.length - 1), 1)[0] as Item)
}

/** What the edge must know of a job. */
export interface ModelJob {
  status: 'queued' | 'processing' | 'done' | 'failed'
  fence: number
  /** The attempt that ended the job. */
  ended_by: number | null
}

export const NEW_JOB: ModelJob = { status: 'queued', fence: 0, ended_by: null }

/** What the edge must answer. */
export interface ModelAnswer {
  status: number
  continue: boolean
}

/** Applies a delivery to the model of a job. */
export function applyDelivery(job: ModelJob, { report }: Delivery): { job: ModelJob; answer: ModelAnswer } {
  const { fence } = report
  const isOver = job.ended_by !== null
  if (report.type !== 'job.finished') {
    if (isOver || fence < job.fence) return { job, answer: { status: 200, continue: false } }
    return { job: { ...job, status: 'processing', fence }, answer: { status: 200, continue: true } }
  }
  const answer = { status: 200, continue: false }
  if (isOver) return { job, answer: { ...answer, status: job.ended_by === fence ? 200 : 409 } }
  if (fence < job.fence) return { job, answer: { ...answer, status: 409 } }
  return { job: { status: report.outcome.status, fence, ended_by: fence }, answer }
}
