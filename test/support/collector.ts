import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { z } from 'zod'

const Attribute = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })
const CollectedSpan = z.object({
  traceId: z.string().regex(/^[0-9a-f]{32}$/),
  spanId: z.string().regex(/^[0-9a-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  startTimeUnixNano: z.string().regex(/^\d{19}$/),
  endTimeUnixNano: z.string().regex(/^\d{19}$/),
  attributes: z.array(Attribute).default([]),
})
export type CollectedSpan = z.infer<typeof CollectedSpan>

/** The body of OTLP over HTTP in JSON. */
const Export = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(Attribute) }),
      scopeSpans: z.array(z.object({ spans: z.array(CollectedSpan) })),
    }),
  ),
})

/** A collector of OpenTelemetry, for edge and fleet. */
export interface Collector {
  url: string
  /** All spans that have arrived. */
  spans: CollectedSpan[]
  /** Bodies that are not OTLP. */
  faults: string[]
  close(): Promise<void>
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = []
  const faults: string[] = []
  const server = createServer(async (request, response) => {
    const parsed = Export.safeParse(await json(request))
    if (request.url !== '/v1/traces' || parsed.error) faults.push(`${request.url}: ${parsed.error?.message}`)
    const sent = parsed.data?.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans) ?? []
    spans.push(...sent.flatMap((scope) => scope.spans))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    faults,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
