import { pino } from 'pino'
import { currentJob } from './job-context.ts'

const logger = pino({
  base: null,
  messageKey: 'event',
  timestamp: () => `,"at":"${new Date().toISOString()}"`,
  formatters: { level: (label) => ({ level: label }) },
})

/**
 * Writes one JSON line per event, so any log collector can read the fleet's output. Every line of a job names it, its
 * attempt, its lane and its trace.
 */
export function log(event: string, details: Record<string, unknown> = {}): void {
  const job = currentJob()
  const { job_id, fence, lane, trace_id } = job ?? {}
  const named = { job_id, fence, lane, trace_id }
  logger.info({ ...named, ...details }, event)
}

/** Describes an error. The text is only for the operator's log and is never sent to a customer. */
export function errorText(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
