import type { Job } from '../../client/src/index.ts'

type JobFilter = 'all' | 'open' | Job['status']

/** What the list can be narrowed to; `open` is what has not ended. */
export const FILTERS = ['all', 'open', 'done', 'failed', 'canceled'] as const satisfies readonly JobFilter[]
export type Filter = (typeof FILTERS)[number]

export function readFilter(text: string | undefined): Filter {
  return FILTERS.find((known) => known === text) ?? 'all'
}

/** Returns the states of a filter for the query of the list; undefined for all. */
export function statesOf(filter: Filter): Job['status'][] | undefined {
  if (filter === 'all') return undefined
  return filter === 'open' ? ['queued', 'processing'] : [filter]
}

export function hasEnded({ status }: Pick<Job, 'status'>): boolean {
  return status === 'done' || status === 'failed' || status === 'canceled'
}

export function isOpen(job: Pick<Job, 'status'>): boolean {
  return !hasEnded(job)
}

/** Checks whether the files of a job can be downloaded at a time. */
export function hasFiles(job: Pick<Job, 'result' | 'result_purged_at'>, now_ms: number): boolean {
  const { result, result_purged_at } = job
  return result !== null && result_purged_at === null && Date.parse(result.expires_at) > now_ms
}

/** Returns what a job has cost so far. A job that failed or was canceled costs nothing. */
export function costOf(job: Pick<Job, 'status' | 'final_cost' | 'estimated_cost'>): number {
  if (job.status === 'failed' || job.status === 'canceled') return 0
  return job.final_cost ?? job.estimated_cost
}
