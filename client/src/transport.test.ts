import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { nodePlatform } from '../node/platform.ts'
import { Transport } from './transport.ts'

const BODY = JSON.stringify({ id: 1 })

/** A service that closes the connection within its first `broken` responses. */
async function openService(broken: number) {
  let requests = 0
  const server = createServer((request, response) => {
    request.resume()
    response.setHeader('content-length', BODY.length)
    if (++requests > broken) return response.end(BODY)
    response.write(BODY.slice(0, 3), () => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const limits = { maxRetries: 2, maxWaitMs: 0, timeoutMs: 5000 }
  const transport = new Transport({
    apiUrl,
    apiKey: undefined,
    language: undefined,
    fetch: undefined,
    ...limits,
  })
  return { apiUrl, transport, countRequests: () => requests }
}

const READ = { method: 'GET', path: '/', isRepeatable: true }

test('a request is repeated if its connection is lost within the response', async () => {
  const { transport, countRequests } = await openService(2)
  expect(await transport.request(READ)).toEqual({ id: 1 })
  expect(countRequests()).toBe(3)
})

test('a request that must not be repeated fails with the network error', async () => {
  const { transport, countRequests } = await openService(1)
  const request = transport.request({ ...READ, method: 'POST', isRepeatable: false })
  await expect(request).rejects.toMatchObject({ name: 'MediaError', code: 'network_error' })
  expect(countRequests()).toBe(1)
})

test('an upload is repeated if its connection is lost within the response', async () => {
  const { apiUrl, transport } = await openService(1)
  const put = { blob: new Blob(['bytes']), headers: {}, onBytes: () => {} }
  expect((await transport.put(nodePlatform, apiUrl, put)).status).toBe(200)
})
