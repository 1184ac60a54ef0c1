import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isDatabaseUnavailable, openDatabase } from '../../edge/platform/database/client.ts'

/** Starts a response but never finishes it, like an overloaded database. */
const server = createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('{"results":')
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

test('a database whose response stalls is reported as unavailable, not as an internal error', async () => {
  const { port } = server.address() as AddressInfo
  const database = openDatabase(`http://127.0.0.1:${port}`, undefined, { answer_ms_max: 200 })
  const error = await database.$client.execute('SELECT 1').catch((reason: unknown) => reason)
  expect(isDatabaseUnavailable(error)).toBe(true)
})
