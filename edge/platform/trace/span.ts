import { type TraceContext, writeTraceparent } from '../../../shared/protocol/traceparent.ts'
import type { Deps } from '../../deps.ts'
import { describeSpans, type Span } from './rules/otlp.ts'

const SENDING_MS_MAX = 5000

/** A span that has begun. */
export type OpenSpan = Omit<Span, 'ended_at' | 'attributes'>

/**
 * Begins a span, in the trace of its parent or in a new one. Spans are only exported if the Worker has a collector, but
 * every job has a trace, which the logs of the fleet name.
 */
export function beginSpan(
  { clock }: Pick<Deps, 'clock'>,
  name: string,
  parent: TraceContext | null,
): OpenSpan {
  return {
    name,
    trace_id: parent?.trace_id ?? randomHex(16),
    span_id: randomHex(8),
    parent_id: parent?.span_id ?? null,
    sampled: parent?.sampled ?? true,
    started_at: clock.now(),
  }
}

/**
 * Returns the header for work that this span causes. Without a collector the span is not exported, so that work belongs
 * to the span of the caller.
 */
export function traceparentOf({ env }: Pick<Deps, 'env'>, span: OpenSpan): string {
  const isMissing = env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined && span.parent_id !== null
  return writeTraceparent({ ...span, span_id: isMissing ? (span.parent_id ?? '') : span.span_id })
}

/** Ends spans and sends them to the collector after the response. Does nothing if the Worker has none. */
export function exportSpans(
  { env, clock, defer }: Pick<Deps, 'env' | 'clock' | 'defer'>,
  open: readonly OpenSpan[],
  attributes: (span: OpenSpan, position: number) => Span['attributes'],
): void {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = env
  if (endpoint === undefined) return
  const ended_at = clock.now()
  const spans = open.map((span, index) => ({ ...span, ended_at, attributes: attributes(span, index) }))
  const sampled = spans.filter((span) => span.sampled)
  if (sampled.length === 0) return
  defer(sendSpans(`${endpoint}/v1/traces`, headers, sampled))
}

/** An async function, so that nothing here fails a request whose commit is done. */
async function sendSpans(
  url: string,
  headers: Readonly<Record<string, string>> | undefined,
  spans: readonly Span[],
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(describeSpans(spans)),
    signal: AbortSignal.timeout(SENDING_MS_MAX),
  })
  await response.body?.cancel()
}

function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
