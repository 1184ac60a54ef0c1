import { expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { type Person, register, submit } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { registerAdministrator } from '../../test/edge/worker/shop.ts'
import { findAccount, loadCallerAccount } from '../accounts/queries.ts'
import { readSession } from '../accounts/session-tokens.ts'
import { commit, LostRace } from '../platform/database/commit.ts'
import { administer } from './audit.ts'
import { auditStatements } from './audit-queries.ts'

const testContext = makeTestContext()
const { call, deps } = testContext

/** Ends the session in another isolate. This isolate trusts its cached session for a few more seconds. */
const END = {
  demoted: (id: number) => query(testContext, 'UPDATE accounts SET is_admin = 0 WHERE id = ?', id),
  blocked: (id: number) => query(testContext, 'UPDATE accounts SET blocked_at = 1 WHERE id = ?', id),
}

/** Returns an administrator whose session is cached in this isolate. */
async function trustedAdministrator(): Promise<Person> {
  const administrator = await registerAdministrator(testContext)
  const { status } = await call('GET', '/api/v1/admin/settings', { token: administrator.token })
  expect(status).toBe(200)
  return administrator
}

const isAdmin = async (id: number) => (await findAccount(deps.db, id))?.isAdmin

test.each([
  ['demoted' as const, 403],
  ['blocked' as const, 401],
])('an administrator who was %s in another isolate changes nothing', async (end, refused) => {
  const { id, token } = await trustedAdministrator()
  const friend = await register(testContext)
  const job = await submit(testContext, friend)
  await END[end](id)
  const change = (method: string, path: string, body: object) =>
    call(method, `/api/v1${path}`, { token, body })
  const answers = [
    await change('PATCH', `/admin/accounts/${id}`, { is_admin: true, blocked: false }),
    await change('PATCH', `/admin/accounts/${friend.id}`, { is_admin: true }),
    await change('PATCH', '/admin/settings', { verify_bonus_credits: 777 }),
    await change('POST', '/billing/admin/topup', { account_id: friend.id, credits: 1000 }),
    await change('POST', `/admin/jobs/${job}/cancel`, {}),
  ]
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => refused))
  expect(await isAdmin(friend.id)).toBe(false)
  const ledger = await query(testContext, 'SELECT amount FROM ledger WHERE account_id = ?', friend.id)
  expect(ledger.map(({ amount }) => amount)).toEqual([20, -2])
})

test('an administrator demoted between authentication and commit writes nothing', async () => {
  const { id, token } = await trustedAdministrator()
  const row = await findAccount(deps.db, id)
  const session = await readSession(deps.env.SESSION_KEYS, token, Date.now())
  if (row === undefined || session === null) throw new Error('there is no such administrator')
  const account = await loadCallerAccount(deps.db, row)
  const caller = { kind: 'session' as const, account, signed_in_at: 0, ...session }
  const entry = { action: 'test', target: `account:${id}`, before: null, after: null }
  const write = () => commit(deps.db, [...auditStatements(deps.db, null, entry, { caller, now: Date.now() })])
  await write()
  await END.demoted(id)
  await expect(write()).rejects.toBeInstanceOf(LostRace)
  const steps = {
    load: async () => undefined,
    decide: () => ({ statements: [], entries: [entry], answer: null }),
  }
  await expect(administer(deps, caller, steps)).rejects.toMatchObject({ status: 403 })
})
