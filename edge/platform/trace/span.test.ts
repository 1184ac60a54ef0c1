import { expect, test } from 'vitest'
import { makeTestContext } from '../../../test/edge/worker/context.ts'
import { beginSpan, exportSpans } from './span.ts'

test('a request that cannot be sent fails after the response, and not in the caller', async () => {
  const { deps } = makeTestContext({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  const refused = { ...deps.env, OTEL_EXPORTER_OTLP_HEADERS: { 'not a name': 'value' } }
  const deferred: Promise<unknown>[] = []
  const defer = (work: Promise<unknown>) => deferred.push(work)
  exportSpans({ env: refused, clock: deps.clock, defer }, [beginSpan(deps, 'submit', null)], () => ({}))
  expect(deferred).toHaveLength(1)
  await expect(deferred[0]).rejects.toThrow(TypeError)
})
