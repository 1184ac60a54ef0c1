import { expect, test } from 'vitest'
import { describeSpans } from './otlp.ts'

const span = {
  ...{ trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7', sampled: true },
  ...{ name: 'submit', parent_id: null, started_at: 1_790_000_000_123, ended_at: 1_790_000_000_456 },
  attributes: { 'job.id': 'job', 'job.count': 2 },
}

test('writes times in nanoseconds, and integers as text', () => {
  expect(describeSpans([span]).resourceSpans[0]?.scopeSpans[0]?.spans).toEqual([
    {
      ...{ traceId: span.trace_id, spanId: span.span_id, name: 'submit', kind: 1 },
      ...{ startTimeUnixNano: '1790000000123000000', endTimeUnixNano: '1790000000456000000' },
      attributes: [
        { key: 'job.id', value: { stringValue: 'job' } },
        { key: 'job.count', value: { intValue: '2' } },
      ],
    },
  ])
})

test('names the parent of a span that has one', () => {
  const parent_id = 'b7ad6b7169203331'
  expect(JSON.stringify(describeSpans([{ ...span, parent_id }]))).toContain(`"parentSpanId":"${parent_id}"`)
})
