import { trace } from '@opentelemetry/api'
import type { Environment } from '../environment.ts'

export interface Tracing {
  /** Sends the spans that have ended. */
  close(): Promise<void>
}

/** Sends spans to a collector if the fleet has one. Without one, no code of the exporter is loaded. */
export async function startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Environment): Promise<Tracing> {
  if (endpoint === undefined) return { close: async () => {} }
  const [{ BatchSpanProcessor, TracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  // The exporter reads OTEL_EXPORTER_OTLP_HEADERS by itself.
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces` })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'media-fleet' }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  trace.setGlobalTracerProvider(provider)
  return {
    async close() {
      trace.disable()
      await provider.shutdown()
    },
  }
}
