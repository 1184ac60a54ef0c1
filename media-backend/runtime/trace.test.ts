import { SpanStatusCode } from '@opentelemetry/api'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { WaitingError } from 'bullmq'
import { expect, test } from 'vitest'
import { failWith, PlannedEnd, WorkStopped } from './failure.ts'
import { endWith } from './trace.ts'

const exporter = new InMemorySpanExporter()
const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }).getTracer(
  'test',
)

test.each([
  ['a failure', failWith('time_limit'), SpanStatusCode.ERROR],
  ['an internal error', new Error('the disk is full'), SpanStatusCode.ERROR],
  ['a cancellation', new WorkStopped('cancelled'), SpanStatusCode.UNSET],
  ['a handover', new PlannedEnd(), SpanStatusCode.UNSET],
  ['the return of a job to its lane', new WaitingError(), SpanStatusCode.UNSET],
])('ends the span of work that ends by %s', async (_name, error, code) => {
  exporter.reset()
  await expect(endWith(tracer.startSpan('attempt'), () => Promise.reject(error))).rejects.toBe(error)
  expect(exporter.getFinishedSpans().map(({ status }) => status)).toEqual([{ code }])
})
