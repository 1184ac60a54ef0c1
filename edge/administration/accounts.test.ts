import { describe, expect, test } from 'vitest'
import { LOST_QUEUE, makeTestContext } from '../../test/edge/worker/context.ts'
import { ledgerOf, makeKey, register, submit } from '../../test/edge/worker/people.ts'
import { registerAdministrator } from '../../test/edge/worker/shop.ts'

const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
const { call } = testContext
const ADMIN = '/api/v1/admin'

const auditOf = async (token: string, target: string) =>
  (await call('GET', `${ADMIN}/audit?target=${target}`, { token })).json

describe('accounts', () => {
  test('are found by id or by any part of the address, including special characters', async () => {
    const { token } = await registerAdministrator(testContext)
    const person = await register(testContext)
    const find = async (q: string) =>
      (await call('GET', `${ADMIN}/accounts?q=${encodeURIComponent(q)}`, { token })).json.map(
        ({ id }: { id: number }) => id,
      )
    expect(await find(person.email.slice(2).toUpperCase())).toEqual([person.id])
    expect(await find(String(person.id))).toContain(person.id)
    expect(await find('%')).toEqual([])
    expect(await find("' OR 1=1 --")).toEqual([])
  })

  test('are shown with balance, keys and open jobs, and without secrets', async () => {
    const { token } = await registerAdministrator(testContext)
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    await submit(testContext, person)
    const shown = await call('GET', `${ADMIN}/accounts/${person.id}`, { token })
    expect(shown.json).toMatchObject({ email: person.email, tier: 'free', balance: 18, open_jobs: 1 })
    expect(shown.json.keys).toHaveLength(1)
    expect(shown.text).not.toMatch(/hash|password_|scrypt/)
    expect(shown.text).not.toContain(key)
    expect((await call('GET', `${ADMIN}/accounts/999999999`, { token })).status).toBe(404)
  })

  test('are refused by session and key while blocked, and accepted again afterwards', async () => {
    const admin = await registerAdministrator(testContext)
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const change = (body: object) =>
      call('PATCH', `${ADMIN}/accounts/${person.id}`, { token: admin.token, body })
    const me = async () => [
      (await call('GET', '/api/v1/auth/me', { token: person.token })).status,
      (await call('GET', '/api/v1/me/ping', { key })).status,
    ]
    expect(await me()).toEqual([200, 200])
    expect((await change({ blocked: true })).json.blocked_at).not.toBeNull()
    expect(await me()).toEqual([401, 401])
    expect((await change({ blocked: false })).json.blocked_at).toBeNull()
    expect(await me()).toEqual([200, 200])
    expect(await auditOf(admin.token, `account:${person.id}`)).toMatchObject([
      { action: 'account.change', administrator_id: admin.id, after: { blocked: false } },
      { before: { blocked: false }, after: { blocked: true } },
    ])
  })

  test('change only through known fields; administrators cannot change their own', async () => {
    const { token, id } = await registerAdministrator(testContext)
    const change = (body: object) => call('PATCH', `${ADMIN}/accounts/${id}`, { token, body })
    expect((await change({ is_admin: false })).status).toBe(409)
    expect((await change({ blocked: true })).status).toBe(409)
    expect((await change({ balance: 1_000_000 })).status).toBe(422)
    expect((await change({ payments_enabled: false })).json.payments_enabled).toBe(false)
    expect((await change({ payments_enabled: false })).status).toBe(200)
    expect(await auditOf(token, `account:${id}`)).toHaveLength(1)
  })
})

test('lose a revoked key, which the owner can neither enable nor delete', async () => {
  const admin = await registerAdministrator(testContext)
  const person = await register(testContext)
  const { id, key } = await makeKey(testContext, person)
  const revoke = () => call('POST', `${ADMIN}/tokens/${id}/revoke`, { token: admin.token })
  expect((await revoke()).json).toMatchObject({ revoked: true, enabled: false })
  expect((await call('GET', '/api/v1/me/ping', { key })).status).toBe(401)
  const { token } = person
  expect((await call('POST', `/api/v1/tokens/${id}/toggle`, { token })).status).toBe(403)
  expect((await call('DELETE', `/api/v1/tokens/${id}`, { token })).status).toBe(403)
  expect((await revoke()).status).toBe(200)
  expect(await auditOf(admin.token, `token:${id}`)).toHaveLength(1)
  expect((await call('POST', `${ADMIN}/tokens/999999999/revoke`, { token: admin.token })).status).toBe(404)
})

test('any job can be listed and canceled, with a full refund', async () => {
  const admin = await registerAdministrator(testContext)
  const person = await register(testContext)
  const job = await submit(testContext, person)
  const list = await call('GET', `${ADMIN}/jobs?account_id=${person.id}&status=queued`, {
    token: admin.token,
  })
  expect(list.json).toMatchObject([{ id: job, account_id: person.id, email: person.email }])
  const cancel = () => call('POST', `${ADMIN}/jobs/${job}/cancel`, { token: admin.token })
  expect((await cancel()).json.status).toBe('canceled')
  expect((await cancel()).status).toBe(409)
  expect(await ledgerOf(testContext, person)).toMatchObject({
    balance: 20,
    entries: [{ entry_type: 'refund' }, { entry_type: 'debit' }, { entry_type: 'daily_free' }],
  })
})

test.each([
  ['GET', 'accounts'],
  ['GET', 'accounts/1'],
  ['PATCH', 'accounts/1'],
  ['POST', 'tokens/1/revoke'],
  ['GET', 'jobs'],
  ['POST', 'jobs/x/cancel'],
])('%s %s is refused to accounts that are not administrators', async (method, path) => {
  const { token } = await register(testContext)
  const body = method === 'PATCH' ? {} : undefined
  expect((await call(method, `${ADMIN}/${path}`, { token, body })).status).toBe(403)
  expect((await call(method, `${ADMIN}/${path}`, { body })).status).toBe(401)
})
