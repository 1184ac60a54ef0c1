import { expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { freshAddress } from '../../test/edge/worker/limited-context.ts'
import { makeKey, type Person, register } from '../../test/edge/worker/people.ts'
import { forgetEndedSessions } from './session-queries.ts'
import { SESSION_SECONDS } from './session-tokens.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
const AUTH = '/api/v1/auth'

async function login({ email, password }: Person): Promise<string> {
  return (
    await call('POST', `${AUTH}/login`, {
      body: { email, password },
      headers: { 'cf-connecting-ip': freshAddress() },
    })
  ).json.access_token
}

const readMe = (token: string) => call('GET', `${AUTH}/me`, { token })

/** Checks which tokens still work, in this isolate and in one with empty caches. */
async function listOpen(tokens: string[]): Promise<boolean[]> {
  const elsewhere = makeTestContext()
  return Promise.all(
    tokens.map(async (token) => {
      const statuses = [await readMe(token), await elsewhere.call('GET', `${AUTH}/me`, { token })]
      expect(statuses[0]?.status).toBe(statuses[1]?.status)
      return statuses[0]?.status === 200
    }),
  )
}

test('logout ends this session only, and keeps the keys', async () => {
  const person = await register(testContext)
  const { key } = await makeKey(testContext, person)
  const other = await login(person)
  const answer = await call('POST', `${AUTH}/logout`, { token: person.token })
  expect([answer.status, answer.text]).toEqual([204, ''])
  expect(await listOpen([person.token, other])).toEqual([false, true])
  expect((await call('POST', `${AUTH}/logout`, { token: person.token })).status).toBe(401)
  expect((await call('GET', '/api/v1/me/ping', { key })).status).toBe(200)
})

test('logout ends a session that a password change kept', async () => {
  const person = await register(testContext)
  const body = { current_password: person.password, new_password: 'staple battery horse' }
  expect((await call('POST', `${AUTH}/password`, { token: person.token, body })).status).toBe(200)
  await call('POST', `${AUTH}/logout`, { token: person.token })
  expect(await listOpen([person.token])).toEqual([false])
})

test('logout-all ends all sessions of the account and no other, and keeps the keys', async () => {
  const [person, bystander] = [await register(testContext), await register(testContext)]
  const { key } = await makeKey(testContext, person)
  const other = await login(person)
  expect((await call('POST', `${AUTH}/logout-all`, { token: other })).status).toBe(204)
  expect(await listOpen([person.token, other, bystander.token])).toEqual([false, false, true])
  expect((await call('GET', '/api/v1/me/ping', { key })).status).toBe(200)
  expect(await listOpen([await login(person)])).toEqual([true])
})

test('a key cannot sign out', async () => {
  const person = await register(testContext)
  const { key } = await makeKey(testContext, person)
  for (const path of ['logout', 'logout-all']) {
    expect((await call('POST', `${AUTH}/${path}`, { key })).status).toBe(401)
  }
})

test('an ended session is forgotten once its token has expired', async () => {
  const person = await register(testContext)
  await call('POST', `${AUTH}/logout`, { token: person.token })
  const count = async () =>
    (await deps.db.$client.execute('SELECT count(*) AS rows FROM ended_sessions')).rows[0]?.rows
  await forgetEndedSessions(deps.db, Date.now())
  expect(await count()).toBeGreaterThan(0)
  expect(await listOpen([person.token])).toEqual([false])
  await forgetEndedSessions(deps.db, Date.now() + (SESSION_SECONDS + 60) * 1000)
  expect(await count()).toBe(0)
})
