/** The states of a job. Contract: Jobs, Job states. */
export const JOB_STATES = ['queued', 'processing', 'done', 'failed', 'canceled'] as const
export type JobState = (typeof JOB_STATES)[number]

const TRANSITIONS: Record<JobState, readonly JobState[]> = {
  queued: ['processing', 'done', 'failed', 'canceled'],
  processing: ['done', 'failed', 'canceled'],
  done: [],
  failed: [],
  canceled: [],
}

export function canTransition(from: JobState, to: JobState): boolean {
  return TRANSITIONS[from].includes(to)
}

export function isOver(state: JobState): boolean {
  return TRANSITIONS[state].length === 0
}

/** How a fleet report affects a job. */
export type Verdict = 'accept' | 'superseded' | 'over'

/**
 * Decides whether a report counts: the job must be open, and no later attempt may have reported. A stalled worker
 * that resumes has a smaller fence than its replacement.
 */
export function judgeReport(job: { status: JobState; fence: number }, fence: number): Verdict {
  if (isOver(job.status)) return 'over'
  return fence < job.fence ? 'superseded' : 'accept'
}
