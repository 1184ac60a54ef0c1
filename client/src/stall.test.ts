import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { nodePlatform } from '../node/platform.ts'
import { Transport } from './transport.ts'

/** A storage that does not respond to the first requests, although it keeps their connections open. */
async function openStorage(silent: number) {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    if (requests <= silent) return
    request.resume().on('end', () => response.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/object`
  return { url, countRequests: () => requests }
}

function put(url: string, stallMs: number, maxRetries: number): Promise<Response> {
  const limits = { maxRetries: 1, maxWaitMs: 0, timeoutMs: 1000 }
  const client = { apiUrl: url, apiKey: undefined, language: undefined, fetch: undefined }
  const transport = new Transport({ ...limits, ...client, stallMs })
  const request = { blob: new Blob(['bytes']), headers: {}, onBytes: () => {} }
  return transport.put(nodePlatform, url, request, maxRetries)
}

test('an upload to a connection that goes silent is sent again', async () => {
  const { url, countRequests } = await openStorage(1)
  expect((await put(url, 500, 4)).status).toBe(200)
  expect(countRequests()).toBeGreaterThanOrEqual(2)
})

test('an upload that stalls at every attempt fails with a timeout', async () => {
  const { url } = await openStorage(9)
  await expect(put(url, 50, 0)).rejects.toMatchObject({ code: 'timeout' })
})
