import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  type TimeInput,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { WaitingError } from 'bullmq'
import type { Outcome } from '../../shared/protocol/job-report.ts'
import { parseTraceparent, writeTraceparent } from '../../shared/protocol/traceparent.ts'
import { PlannedEnd } from './failure.ts'
import { currentJob, runInContext } from './job-context.ts'

/** Does nothing until start-tracing.ts has registered an exporter. */
const tracer = trace.getTracer('media-fleet')

/**
 * Begins a span in the trace of a job. Attributes are ids and kinds, never names of files, URLs or other texts of a
 * customer.
 * @returns undefined if the job has no trace, or nobody records it
 */
export function beginSpan(
  name: string,
  traceparent: string | undefined,
  attributes: Attributes,
  startTime?: TimeInput,
): Span | undefined {
  const parent = parseTraceparent(traceparent)
  if (parent === null) return undefined
  const context = trace.setSpanContext(ROOT_CONTEXT, {
    traceId: parent.trace_id,
    spanId: parent.span_id,
    traceFlags: parent.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  })
  const span = tracer.startSpan(name, { attributes, ...(startTime !== undefined && { startTime }) }, context)
  return span.isRecording() ? span : undefined
}

/** Runs a part of the current job in a span of its own. */
export async function traced<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
  const job = currentJob()
  if (job?.span === undefined) return work()
  const span = tracer.startSpan(name, { attributes }, trace.setSpan(ROOT_CONTEXT, job.span))
  return runInContext({ ...job, span }, () => endWith(span, work))
}

/**
 * Runs work and ends the span with it, as an error unless its end was planned. The message of an error may name a
 * file, so the span has none.
 */
export async function endWith<T>(span: Span | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const is_planned = error instanceof PlannedEnd || error instanceof WaitingError
    if (!is_planned) span?.setStatus({ code: SpanStatusCode.ERROR })
    throw error
  } finally {
    span?.end()
  }
}

/** Records the result of the current attempt: done, or the error code. */
export function traceOutcome(outcome: Outcome): void {
  const span = currentJob()?.span
  span?.setAttribute('job.result', outcome.status === 'done' ? 'done' : outcome.error_code)
  if (outcome.status === 'failed') span?.setStatus({ code: SpanStatusCode.ERROR })
}

/** Returns the header for a request that the current span causes; undefined if nobody records it. */
export function currentTraceparent(): string | undefined {
  const context = currentJob()?.span?.spanContext()
  if (context === undefined) return undefined
  return writeTraceparent({ trace_id: context.traceId, span_id: context.spanId, sampled: true })
}
