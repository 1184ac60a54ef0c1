import { expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { register, submit } from '../../test/edge/worker/people.ts'
import { EDGE_METRICS } from './rules/metrics.ts'

const TOKEN = 'a-token-of-the-monitoring-alone'
const PATH = '/internal/metrics'
const testContext = makeTestContext({ METRICS_TOKEN: TOKEN })
const { call, deps } = testContext

test('serves numbers of open jobs, effects and the ledger, without names of customers', async () => {
  const person = await register(testContext)
  const id = await submit(testContext, person)
  const { status, text } = await call('GET', PATH, { token: TOKEN })
  expect(status).toBe(200)
  for (const name of Object.keys(EDGE_METRICS)) expect(text).toContain(`# TYPE ${name} gauge`)
  expect(text).toMatch(/^edge_jobs_open\{state="queued"\} [1-9]\d*$/m)
  expect(text).toMatch(/^edge_jobs_oldest_seconds\{state="queued"\} [\d.]+$/m)
  expect(text).toMatch(/^edge_ledger_faults \d+$/m)
  expect(text).not.toContain(id)
})

test('counts an account whose grants do not match its balance', async () => {
  const person = await register(testContext)
  await submit(testContext, person)
  const readFaults = async () =>
    Number(/^edge_ledger_faults (\d+)$/m.exec((await call('GET', PATH, { token: TOKEN })).text)?.[1])
  const changeGrant = (change: string) =>
    deps.db.$client.execute(`UPDATE grants SET "left" = "left" ${change} WHERE amount > 1 AND (account_id, sequence) =
      (SELECT account_id, min(sequence) FROM ledger WHERE account_id =
        (SELECT account_id FROM ledger ORDER BY id DESC LIMIT 1))`)
  const before = await readFaults()
  await changeGrant('- 1')
  const during = await readFaults()
  await changeGrant('+ 1')
  expect([during - before, await readFaults()]).toEqual([1, before])
})

test('counts moves that stopped, by state', async () => {
  const now = deps.clock.now()
  const ago = (minutes: number) => now - minutes * 60_000
  await deps.db.$client.execute({
    sql: `INSERT INTO account_moves (account_id, move_id, target, state, started_at)
      VALUES (7001, 'a', 1, 'leaving', ?), (7002, 'b', 1, 'leaving', ?), (7003, 'c', 1, 'copying', ?)`,
    args: [ago(11), ago(1), ago(25 * 60)],
  })
  const { text } = await call('GET', PATH, { token: TOKEN })
  await deps.db.$client.execute(`DELETE FROM account_moves WHERE move_id IN ('a', 'b', 'c')`)
  expect(text.match(/^edge_moves_stopped\{.*$/gm)).toEqual([
    'edge_moves_stopped{state="copying"} 1',
    'edge_moves_stopped{state="leaving"} 1',
  ])
})

test.each([
  ['without a token', {}],
  ['with another token', { token: `${TOKEN}!` }],
])('does not exist %s', async (_name, access) => {
  expect(await call('GET', PATH, access)).toMatchObject({ status: 404, code: 'not_found' })
})

test('does not exist without the setting', async () => {
  const { call: ask } = makeTestContext()
  expect(await ask('GET', PATH, { token: 'undefined' })).toMatchObject({ status: 404, code: 'not_found' })
})
