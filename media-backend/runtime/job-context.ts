import { AsyncLocalStorage } from 'node:async_hooks'
import type { Span } from '@opentelemetry/api'

/** The attempt that runs the current code, for its log lines and its child processes. */
export interface JobContext {
  job_id: string
  fence: number
  lane: string
  /** null for anonymous callers, undefined in dispatches of older edges. */
  account_id: number | null | undefined
  /** Operation of the job, such as "video/trim". */
  operation: string
  /** Added to the niceness of child processes, so that long work yields the processor to quick work. */
  niceness: number
  /** Trace of the request that submitted the job; undefined in dispatches of older edges. */
  trace_id: string | undefined
  /** Part of the attempt that runs now; undefined if nobody records the trace. */
  span: Span | undefined
}

const contexts = new AsyncLocalStorage<JobContext>()

export function runInContext<T>(context: JobContext, work: () => Promise<T>): Promise<T> {
  return contexts.run(context, work)
}

export function currentJob(): JobContext | undefined {
  return contexts.getStore()
}
