import { expect, test } from 'vitest'
import { depsAt, eventually, makeTestContext } from '../../test/edge/worker/context.ts'
import { checkReadiness } from './readiness.ts'

test('liveness is reported without asking other services', async () => {
  const { call, fleet } = makeTestContext()
  await fleet.setMode('down')
  const answer = await call('GET', '/api/health')
  expect([answer.status, answer.json]).toEqual([200, { status: 'ok' }])
  expect(await fleet.requests()).toEqual([])
})

test('readiness is reported when database and cache both respond', async () => {
  const { call } = makeTestContext()
  const answer = await call('GET', '/api/ready')
  expect([answer.status, answer.json]).toEqual([
    200,
    { status: 'ok', checks: { database: 'ok', cache: 'ok' } },
  ])
})

test.each(['cache_down', 'refusing', 'down'])(
  'the service is not ready while the fleet is %s',
  async (mode) => {
    const { call, fleet } = makeTestContext()
    await fleet.setMode(mode)
    const answer = await call('GET', '/api/ready')
    expect([answer.status, answer.json]).toEqual([
      503,
      { status: 'unavailable', checks: { database: 'ok', cache: 'down' } },
    ])
  },
)

test('the service is not ready while the database is down', async () => {
  const { call } = makeTestContext({ DATABASE_URL: 'http://127.0.0.1:9' })
  const answer = await call('GET', '/api/ready')
  expect([answer.status, answer.json.checks]).toEqual([503, { database: 'down', cache: 'ok' }])
})

test('frequent checks ask the other services about once a second and then report a change', async () => {
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

test('concurrent checks get the last result while one is waiting, but only briefly', async () => {
  const testContext = makeTestContext()
  let at = Date.now()
  const answers = Promise.withResolvers<{ cache: 'ok' | 'down' }>()
  const requests: string[] = []
  const deps = depsAt(testContext, { now: () => at })
  const slow = {
    ...deps,
    fleet: {
      ...deps.fleet,
      askReadiness: () => {
        requests.push('slow')
        return answers.promise
      },
    },
  }
  expect((await checkReadiness(deps)).status).toBe('ok')
  at += 1000
  const first = checkReadiness(slow)
  await eventually('the first request', async () => requests.length === 1)
  expect((await checkReadiness(slow)).status).toBe('ok')
  expect(requests).toHaveLength(1)
  // The request that started the check was aborted, so the next request checks again.
  at += 4000
  const second = checkReadiness(slow)
  await eventually('the second request', async () => requests.length === 2)
  answers.resolve({ cache: 'down' })
  expect([(await first).status, (await second).status]).toEqual(['unavailable', 'unavailable'])
})

test('after an idle period no check gets an outdated result, even concurrently', async () => {
  const testContext = makeTestContext()
  let at = Date.now()
  const deps = depsAt(testContext, { now: () => at })
  expect((await checkReadiness(deps)).status).toBe('ok')
  await testContext.fleet.setMode('cache_down')
  at += 60 * 60 * 1000
  const concurrent = await Promise.all([checkReadiness(deps), checkReadiness(deps)])
  expect(concurrent.map(({ status }) => status)).toEqual(['unavailable', 'unavailable'])
})
