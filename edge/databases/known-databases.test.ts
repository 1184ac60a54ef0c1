import { afterEach, expect, test } from 'vitest'
import { makeBot } from '../../test/edge/worker/bots.ts'
import { makeTestContext, type TestContext } from '../../test/edge/worker/context.ts'
import { freshAddress } from '../../test/edge/worker/limited-context.ts'
import { makeLink } from '../../test/edge/worker/links.ts'
import { order } from '../../test/edge/worker/payments.ts'
import { makeKey, register, SUBMISSION } from '../../test/edge/worker/people.ts'
import { report, started } from '../../test/edge/worker/reports.ts'
import { listPackage } from '../../test/edge/worker/shop.ts'
import { inDatabase, makeSpreadContext } from '../../test/edge/worker/spread-context.ts'
import { placeNewAccount } from '../accounts/place-account.ts'
import { answerMessage } from '../messenger/reply.ts'
import { atPayment } from '../payments/at-payment.ts'
import { DatabaseUnavailable } from '../platform/database/client.ts'

const spread = makeSpreadContext()
const { home, other } = spread
const there = inDatabase(spread, other)

const announce = (accepts_from: number) =>
  home.db.$client.execute({
    sql: 'INSERT INTO account_databases (number, accepts_from) VALUES (1, ?)',
    args: [accepts_from],
  })
afterEach(() => home.db.$client.execute('DELETE FROM account_databases'))

const credentials = () => ({ email: `${crypto.randomUUID()}@example.com`, password: 'correct horse battery' })
const signIn = (context: TestContext, { email, password } = credentials()) =>
  context.call('POST', '/api/v1/auth/login', {
    body: { email, password },
    headers: { 'cf-connecting-ip': freshAddress() },
  })
const payment = {
  ...({ kind: 'payment', order_id: 'unknown', reference: 'unknown', state: 'paid' } as const),
  ...{ paid_cents: 500, currency: 'USD', charged: null, mandate: null },
}

test('a version that does not know a database with accounts refuses what it cannot find with 503', async () => {
  await announce(0)
  const old = makeTestContext()
  const person = await register(there)
  const { key } = await makeKey(spread, person)
  const link = await makeLink(spread, person)
  const job = (await spread.call('POST', '/api/v1/jobs', { token: person.token, body: SUBMISSION })).json.id
  const answers = [
    await old.call('GET', '/api/v1/auth/me', { token: person.token }),
    await old.call('GET', '/api/v1/jobs', { key }),
    await signIn(old, person),
    await old.call('POST', '/api/v1/auth/register', { body: credentials() }),
    await report(old, started(job)),
    await old.call('GET', link.path),
  ]
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503, 503])
  await expect(atPayment(old.deps, 'sandbox_card', payment)).rejects.toThrow(DatabaseUnavailable)
  const known = await register(inDatabase(spread, home))
  expect((await old.call('GET', '/api/v1/auth/me', { token: known.token })).status).toBe(200)
})

test('a version that does not know a database finds the orders that it has', async () => {
  const old = makeTestContext()
  const order_id = await order(old, await register(old), { package_id: (await listPackage(old)).id })
  await announce(0)
  const late = makeTestContext()
  expect((await atPayment(late.deps, 'sandbox_card', { ...payment, order_id })).db.$number).toBe(0)
})

test('a delivery link is not called unknown while a database is', async () => {
  await announce(0)
  const { bot, settings, calls } = makeBot()
  const { deps } = makeTestContext(settings)
  const now = deps.clock.now()
  const message = {
    ...{ bot_id: bot.id, chat_id: 7, token_hash: 'of another database', locale: 'en' },
    ...{ at: now, give_up_at: now + 60_000 },
  }
  await expect(answerMessage(deps, 'messenger:1', message)).rejects.toThrow(DatabaseUnavailable)
  expect(await calls()).toEqual([])
})

test('a version that knows all databases says that it cannot find something', async () => {
  const single = makeTestContext()
  expect((await signIn(single)).status).toBe(401)
  await announce(0)
  expect((await signIn(spread)).status).toBe(401)
})

test('accounts are placed in a database once all versions know of it', async () => {
  const place = async () => (await placeNewAccount(home, credentials().email)).db.$number
  const placeMany = async () => new Set(await Promise.all(Array.from({ length: 20 }, place)))
  expect(await placeMany()).toEqual(new Set([0]))
  await announce(Date.now() + 60_000)
  expect(await placeMany()).toEqual(new Set([0]))
  await home.db.$client.execute('UPDATE account_databases SET accepts_from = 1')
  expect(await placeMany()).toEqual(new Set([0, 1]))
})

test('the number of databases is in a header, if there are several', async () => {
  const counts = [spread, makeTestContext()].map(async ({ call }) =>
    (await call('GET', '/api/ready')).headers.get('media-databases'),
  )
  expect(await Promise.all(counts)).toEqual(['2', null])
})
