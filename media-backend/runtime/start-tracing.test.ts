import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { trace } from '@opentelemetry/api'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { freePort } from '../testing/wait.ts'
import { startTracing } from './start-tracing.ts'

afterEach(() => vi.useRealTimers())

async function traceTo(port: number, headers?: Record<string, string>) {
  const tracing = await startTracing({
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_EXPORTER_OTLP_HEADERS: headers,
  })
  trace.getTracer('test').startSpan('work').end()
  return tracing
}

test('closes within two seconds if nobody listens at the address of the collector', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const tracing = await traceTo(await freePort())
  const closing = tracing.close()
  await vi.advanceTimersByTimeAsync(2000)
  await closing
})

test.each([200, 400])(
  'sends its spans and headers to a collector that answers %s, and closes',
  async (status) => {
    const received: unknown[] = []
    const collector = createServer((request, response) => {
      received.push([request.url, request.headers['x-team']])
      request.resume()
      response.writeHead(status).end()
    })
    onTestFinished(() => {
      collector.closeAllConnections()
      collector.close()
    })
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
    const tracing = await traceTo((collector.address() as AddressInfo).port, { 'x-team': 'media' })
    await tracing.close()
    expect(received).toEqual([['/v1/traces', 'media']])
  },
)
