const ERROR = 'The video is 45 minutes long; the free tier allows up to 30 minutes. Use a shorter video.'

/** The fields in which the job or batch of an event differs from one that is done, by the type of the event. */
const FIELDS: Record<string, { job?: object; batch?: object }> = {
  failed: {
    job: { status: 'failed', progress: 0, error: ERROR, error_code: 'input_too_long' },
    batch: { status: 'failed', done: 0, failed: 1, canceled: 1, error: `holiday.mp4: ${ERROR}` },
  },
  canceled: {
    job: { status: 'canceled', progress: 40 },
    batch: { status: 'canceled', done: 0, failed: 0, canceled: 2 },
  },
}
const WITHOUT_RESULT = { final_cost: 0, result: null }

/**
 * Changes the example of an event, which shows finished work, to what the event reports.
 * @param type such as "job.failed".
 */
export function exampleOfEvent(type: string, example: unknown): unknown {
  const [family = '', end = ''] = type.split('.')
  const { job, batch } = FIELDS[end] ?? {}
  if (job === undefined || typeof example !== 'object' || example === null) return example
  const { data } = example as { data: { jobs?: object[] } }
  const without = { ...job, ...WITHOUT_RESULT }
  if (family === 'job') return { ...example, data: { ...data, ...without } }
  const jobs = (data.jobs ?? []).map((each) => ({ ...each, ...without }))
  return { ...example, data: { ...data, ...batch, final_cost: 0, jobs } }
}
