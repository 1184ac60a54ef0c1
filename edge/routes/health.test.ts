import { expect, test } from 'vitest'
import { makeWorld } from '../../test/edge/worker/world.ts'

test('alive is told without asking anyone', async () => {
  const { call, fleet } = makeWorld()
  await fleet.tell('down')
  const answer = await call('GET', '/api/health')
  expect([answer.status, answer.json]).toEqual([200, { status: 'ok' }])
  expect(await fleet.requests()).toEqual([])
})

test('ready when the database and the cache both answer', async () => {
  const { call } = makeWorld()
  const answer = await call('GET', '/api/ready')
  expect([answer.status, answer.json]).toEqual([
    200,
    { status: 'ok', checks: { database: 'ok', cache: 'ok' } },
  ])
})

test.each(['cache_down', 'refusing', 'down'])('not ready while the fleet is %s', async (mode) => {
  const { call, fleet } = makeWorld()
  await fleet.tell(mode)
  const answer = await call('GET', '/api/ready')
  expect([answer.status, answer.json]).toEqual([
    503,
    { status: 'unavailable', checks: { database: 'ok', cache: 'down' } },
  ])
})

test('not ready while the database is down', async () => {
  const { call } = makeWorld({ DATABASE_URL: 'http://127.0.0.1:9' })
  const answer = await call('GET', '/api/ready')
  expect([answer.status, answer.json.checks]).toEqual([503, { database: 'down', cache: 'ok' }])
})
