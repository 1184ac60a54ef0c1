import { expect, test } from 'vitest'
import { depsAt, eventually, makeTestContext } from '../../test/edge/worker/context.ts'
import { checkReadiness } from './readiness.ts'

test('alive is told without asking anyone', async () => {
  const { call, fleet } = makeTestContext()
  await fleet.setMode('down')
  const answer = await call('GET', '/api/health')
  expect([answer.status, answer.json]).toEqual([200, { status: 'ok' }])
  expect(await fleet.requests()).toEqual([])
})

test('ready when the database and the cache both answer', async () => {
  const { call } = makeTestContext()
  const answer = await call('GET', '/api/ready')
  expect([answer.status, answer.json]).toEqual([
    200,
    { status: 'ok', checks: { database: 'ok', cache: 'ok' } },
  ])
})

test.each(['cache_down', 'refusing', 'down'])('not ready while the fleet is %s', async (mode) => {
  const { call, fleet } = makeTestContext()
  await fleet.setMode(mode)
  const answer = await call('GET', '/api/ready')
  expect([answer.status, answer.json]).toEqual([
    503,
    { status: 'unavailable', checks: { database: 'ok', cache: 'down' } },
  ])
})

test('not ready while the database is down', async () => {
  const { call } = makeTestContext({ DATABASE_URL: 'http://127.0.0.1:9' })
  const answer = await call('GET', '/api/ready')
  expect([answer.status, answer.json.checks]).toEqual([503, { database: 'down', cache: 'ok' }])
})

test('asked again and again it asks the others about once a second, and tells of a change then', async () => {
  const testContext = makeTestContext()
  const clock = { now: () => at }
  let at = Date.now()
  const deps = depsAt(testContext, clock)
  for (let count = 0; count < 20; count++) expect((await checkReadiness(deps)).status).toBe('ok')
  expect(await testContext.fleet.requests()).toHaveLength(1)
  await testContext.fleet.setMode('cache_down')
  expect((await checkReadiness(deps)).status).toBe('ok')
  at += 1000
  expect((await checkReadiness(deps)).checks).toEqual({ database: 'ok', cache: 'down' })
  await testContext.fleet.setMode('ok')
  at += 1000
  expect((await checkReadiness(deps)).status).toBe('ok')
})

test('while one waits for an answer others are told the last one, but not for long', async () => {
  const testContext = makeTestContext()
  let at = Date.now()
  const answers = Promise.withResolvers<'ok' | 'down'>()
  const asked: string[] = []
  const deps = depsAt(testContext, { now: () => at })
  const slow = {
    ...deps,
    fleet: {
      ...deps.fleet,
      askCache: () => {
        asked.push('slow')
        return answers.promise
      },
    },
  }
  expect((await checkReadiness(deps)).status).toBe('ok')
  at += 1000
  const first = checkReadiness(slow)
  await eventually('the question', async () => asked.length === 1)
  expect((await checkReadiness(slow)).status).toBe('ok')
  expect(asked).toHaveLength(1)
  // The request that asked was cut off: the next one asks by itself.
  at += 4000
  const second = checkReadiness(slow)
  await eventually('another question', async () => asked.length === 2)
  answers.resolve('down')
  expect([(await first).status, (await second).status]).toEqual(['unavailable', 'unavailable'])
})

test('after a quiet time nobody is told an answer of before it, also while another one asks', async () => {
  const testContext = makeTestContext()
  let at = Date.now()
  const deps = depsAt(testContext, { now: () => at })
  expect((await checkReadiness(deps)).status).toBe('ok')
  await testContext.fleet.setMode('cache_down')
  at += 60 * 60 * 1000
  const concurrent = await Promise.all([checkReadiness(deps), checkReadiness(deps)])
  expect(concurrent.map(({ status }) => status)).toEqual(['unavailable', 'unavailable'])
})
