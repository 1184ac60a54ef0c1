import type { JobState } from '../../jobs/rules/states.ts'

/** The number of jobs of one operation in one state. */
export interface CountedJobs {
  service_slug: string
  operation_key: string
  status: JobState
  total: number
  credits: number
}

/** Totals an account's jobs, overall and by operation. The most used operation comes first. */
export function summarizeUsage(counted: readonly CountedJobs[]) {
  const operations = Map.groupBy(
    counted,
    ({ service_slug, operation_key }) => `${service_slug}/${operation_key}`,
  )
  const by_operation = [...operations.values()].flatMap((jobs) => {
    const [first] = jobs
    if (first === undefined) return []
    const { service_slug, operation_key } = first
    return [{ service_slug, operation_key, submissions: countAll(jobs), credits: sumCredits(jobs) }]
  })
  const countOf = (state: JobState) => countAll(counted.filter(({ status }) => status === state))
  return {
    submissions: countAll(counted),
    credits: sumCredits(counted),
    done: countOf('done'),
    failed: countOf('failed'),
    canceled: countOf('canceled'),
    by_operation: by_operation.sort((one, other) => other.submissions - one.submissions),
  }
}

function countAll(jobs: readonly CountedJobs[]): number {
  return jobs.reduce((sum, { total }) => sum + total, 0)
}

function sumCredits(jobs: readonly CountedJobs[]): number {
  return jobs.reduce((sum, { credits }) => sum + credits, 0)
}
