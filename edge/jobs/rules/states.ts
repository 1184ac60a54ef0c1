/** The states of a job and the moves between them. Contract: Jobs, Job states. */
export const JOB_STATES = ['queued', 'processing', 'done', 'failed', 'canceled'] as const
export type JobState = (typeof JOB_STATES)[number]

const MOVES: Record<JobState, readonly JobState[]> = {
  queued: ['processing', 'done', 'failed', 'canceled'],
  processing: ['done', 'failed', 'canceled'],
  done: [],
  failed: [],
  canceled: [],
}

export function canMove(from: JobState, to: JobState): boolean {
  return MOVES[from].includes(to)
}

export function isOver(state: JobState): boolean {
  return MOVES[state].length === 0
}

/** What a callback of the fleet does to a job. */
export type Verdict = 'take' | 'superseded' | 'over'

/**
 * A report counts when the job is still open and no later attempt was heard of: a stalled worker that
 * wakes up carries a smaller fence than the one that took over.
 */
export function judgeReport(job: { status: JobState; fence: number }, fence: number): Verdict {
  if (isOver(job.status)) return 'over'
  return fence < job.fence ? 'superseded' : 'take'
}
