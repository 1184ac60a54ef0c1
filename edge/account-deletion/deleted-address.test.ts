import { describe, expect, test } from 'vitest'
import { found, LOST_QUEUE, makeTestContext } from '../../test/edge/worker/context.ts'
import { NO_CLIENT, type Person, register } from '../../test/edge/worker/people.ts'
import { hashMailbox } from '../accounts/address-hash.ts'
import { beginSession } from '../accounts/begin-session.ts'
import { confirmAddress } from '../accounts/confirm-address.ts'
import { forgetMailboxes, isMailboxWelcomed } from '../accounts/mailbox-queries.ts'
import { findAccountByEmail, toCallerAccount } from '../accounts/queries.ts'
import { openAccount } from '../accounts/register.ts'
import { settleAccount } from '../credits/change-credits.ts'

const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
const { call, deps } = testContext
const ME = '/api/v1/auth/me'

const query = async (sql: string, ...args: (string | number)[]) =>
  (await deps.db.$client.execute({ sql, args })).rows

const remove = ({ email, password, token }: Person, body: object = {}) =>
  call('DELETE', ME, { token, body: { confirm: email, current_password: password, ...body } })

/** Creates an account with the address of a person, as a registration does. */
async function registerAgain({ email }: Person) {
  const account = { email, fullName: null, passwordHash: null, locale: 'en' as const }
  return found(await openAccount(deps, account))
}

describe('the address of a deleted account', () => {
  test('registers again, without the welcome grant or another daily allowance of the same day', async () => {
    const person = await register(testContext)
    await confirmAddress(deps, person.id)
    expect((await remove(person)).status).toBe(200)
    const account = await registerAgain(person)
    expect(account.id).not.toBe(person.id)
    expect((await settleAccount(deps, account.id)).balance).toBe(0)
    expect(await confirmAddress(deps, account.id)).toEqual({ email_verified: true, granted_credits: 0 })
    const tomorrow = { ...deps, clock: { now: () => Date.now() + 25 * 60 * 60 * 1000 } }
    expect((await settleAccount(tomorrow, account.id)).balance).toBe(20)
  })

  test('stays known over several deletions', async () => {
    const person = await register(testContext)
    await confirmAddress(deps, person.id)
    await remove(person)
    const second = await registerAgain(person)
    const { access_token } = await beginSession(deps, toCallerAccount(second), second, NO_CLIENT)
    const body = { confirm: person.email }
    expect((await call('DELETE', ME, { token: access_token, body })).status).toBe(200)
    const third = await registerAgain(person)
    expect(third).toMatchObject({ welcomeUsed: true, dailyFreeFrom: second.dailyFreeFrom })
    expect(await query('SELECT 1 FROM mailbox_grants WHERE mailbox_hash LIKE ?', '%@%')).toEqual([])
  })

  test('is recognized after a rotation of the key, by its secret alone, and forgotten after a year', async () => {
    const person = await register(testContext)
    await confirmAddress(deps, person.id)
    await remove(person)
    const [key = ''] = deps.env.ADDRESS_KEYS
    const fresh = btoa(crypto.randomUUID().repeat(2))
    const [hash] = hashMailbox({ ADDRESS_KEYS: [key] }, person.email)
    const older = hashMailbox({ ADDRESS_KEYS: [fresh, key] }, person.email)
    const other = hashMailbox({ ADDRESS_KEYS: [fresh] }, person.email)
    const knows = (hashes: string[]) => isMailboxWelcomed(deps.db, hashes)
    expect([await knows([hash]), await knows(older), await knows(other)]).toEqual([true, true, false])
    const YEAR_MS = 365 * 24 * 60 * 60 * 1000
    await forgetMailboxes(deps.db, Date.now() + YEAR_MS - 60_000)
    expect(await knows([hash])).toBe(true)
    await forgetMailboxes(deps.db, Date.now() + YEAR_MS + 1000)
    expect(await knows([hash])).toBe(false)
  })

  test('shares one welcome grant with other spellings of its mailbox, also when confirmed at once', async () => {
    const name = crypto.randomUUID()
    const open = async (email: string) => {
      const opened = await openAccount(deps, { email, fullName: null, passwordHash: null })
      return opened?.id ?? 0
    }
    const ids = await Promise.all(
      [`${name}@gmail.com`, `${name}+2@googlemail.com`, `${name.replace('-', '.-')}@gmail.com`].map(open),
    )
    const granted = await Promise.all(ids.map(async (id) => (await confirmAddress(deps, id)).granted_credits))
    expect(granted.toSorted()).toEqual([0, 0, 50])
    // Accounts keep what their mailbox received.
    await forgetMailboxes(deps.db, Date.now() + 1000 * 24 * 60 * 60 * 1000)
    const fourth = await open(`${name}+4@gmail.com`)
    expect((await confirmAddress(deps, fourth)).granted_credits).toBe(0)
  })

  test('receives the welcome grant if it never did', async () => {
    const person = await register(testContext)
    expect((await remove(person)).status).toBe(200)
    expect(await findAccountByEmail(deps.db, person.email)).toBeUndefined()
    const account = await registerAgain(person)
    expect((await confirmAddress(deps, account.id)).granted_credits).toBe(50)
  })
})
