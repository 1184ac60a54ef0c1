import type { TraceContext } from '../../../../shared/protocol/traceparent.ts'

/** A span of the edge. Its attributes are ids and kinds, never texts of a customer. */
export interface Span extends TraceContext {
  name: string
  /** null for the first span of a trace. */
  parent_id: string | null
  started_at: number
  ended_at: number
  attributes: Readonly<Record<string, string | number>>
}

const INTERNAL = 1

/** Writes spans as OTLP in JSON, the body of POST /v1/traces. */
export function describeSpans(spans: readonly Span[]) {
  const resource = { attributes: attributesOf({ 'service.name': 'media-edge' }) }
  return {
    resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'edge' }, spans: spans.map(describeSpan) }] }],
  }
}

function describeSpan({ trace_id, span_id, parent_id, name, started_at, ended_at, attributes }: Span) {
  return {
    traceId: trace_id,
    spanId: span_id,
    ...(parent_id === null ? {} : { parentSpanId: parent_id }),
    name,
    kind: INTERNAL,
    startTimeUnixNano: nanoseconds(started_at),
    endTimeUnixNano: nanoseconds(ended_at),
    attributes: attributesOf(attributes),
  }
}

function attributesOf(attributes: Span['attributes']) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }))
}

/** A number of JSON is not exact enough for nanoseconds. */
function nanoseconds(time_ms: number): string {
  return `${Math.round(time_ms)}000000`
}
