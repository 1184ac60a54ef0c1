import { expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { register } from '../../test/edge/worker/people.ts'

const testContext = makeTestContext()
const { deps } = testContext
const execute = (sql: string, ...args: (string | number)[]) => deps.db.$client.execute({ sql, args })
const me = (token: string) => makeTestContext().call('GET', '/api/v1/auth/me', { token })

function claimsOf(token: string) {
  return JSON.parse(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
}

test('a token names its account by a random key, and not by the id that a restored database gives out again', async () => {
  const [first, second] = [await register(testContext), await register(testContext)]
  const { sub } = claimsOf(first.token)
  expect(sub).toMatch(/^[0-9a-f-]{36}$/)
  // The backup has no account of the first session, and its id goes to another account.
  await execute('UPDATE accounts SET public_key = ? WHERE id = ?', crypto.randomUUID(), first.id)
  expect((await me(first.token)).status).toBe(401)
  expect((await me(second.token)).json.id).toBe(second.id)
})

test('a restore ends all sessions that started before it', async () => {
  const { token, email } = await register(testContext)
  const [restored_at, backup_at] = [Date.now() + 1000, Date.now() - 3_600_000]
  await execute('INSERT INTO restores (restored_at, backup_at) VALUES (?, ?)', restored_at, backup_at)
  try {
    expect((await me(token)).status).toBe(401)
  } finally {
    await execute('DELETE FROM restores WHERE restored_at = ?', restored_at)
  }
  expect((await me(token)).json.email).toBe(email)
})

test('an account that an older Worker inserts receives its own key', async () => {
  const email = `${crypto.randomUUID()}@example.com`
  const sql = `INSERT INTO accounts (email, email_key, created_at) VALUES (?, ?, 1), (?, ?, 1) RETURNING id`
  const { rows } = await execute(sql, email, email, `b${email}`, `b${email}`)
  const keys = await execute(`SELECT public_key FROM accounts WHERE id IN (${rows.map(({ id }) => id)})`)
  expect(new Set(keys.rows.map(({ public_key }) => public_key)).size).toBe(2)
  for (const { public_key } of keys.rows) expect(public_key).toMatch(/^[0-9a-f]{32}$/)
})
