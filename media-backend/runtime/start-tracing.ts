import { trace } from '@opentelemetry/api'
import type { Environment } from '../environment.ts'
import { errorText, log } from './log.ts'
import { withDeadline } from './with-deadline.ts'

const SENDING_MS_MAX = 5000
const CLOSING_MS_MAX = 2000

export interface Tracing {
  /** Sends the spans that have ended. Never fails and never waits long: a collector may be down. */
  close(): Promise<void>
}

/** Sends spans to a collector if the fleet has one. Without one, no code of the exporter is loaded. */
export async function startTracing({
  OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
  OTEL_EXPORTER_OTLP_HEADERS: headers,
}: Pick<Environment, `OTEL_EXPORTER_OTLP_${'ENDPOINT' | 'HEADERS'}`>): Promise<Tracing> {
  if (endpoint === undefined) return { close: async () => {} }
  const [{ BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const url = `${endpoint}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: SENDING_MS_MAX })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'media-fleet' }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  trace.setGlobalTracerProvider(provider)
  return {
    async close() {
      trace.disable()
      await withDeadline(provider.shutdown(), CLOSING_MS_MAX).catch((error: unknown) =>
        log('spans_lost', { error: errorText(error) }),
      )
    },
  }
}
