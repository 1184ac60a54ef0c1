import { randomBytes, scryptSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { eventually, makeTestContext } from '../../test/edge/worker/context.ts'
import { freshAddress } from '../../test/edge/worker/limited-context.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'

const testContext = makeTestContext()
const { call } = testContext
const PASSWORD = '/api/v1/auth/password'
const NEW_PASSWORD = 'staple battery horse'

async function login({ email }: Person, password: string) {
  return call('POST', '/api/v1/auth/login', {
    body: { email, password },
    headers: { 'cf-connecting-ip': freshAddress() },
  })
}

async function isOpen(token: string): Promise<boolean> {
  // A different isolate, whose session caches are empty.
  return (await makeTestContext().call('GET', '/api/v1/auth/me', { token })).status === 200
}

function change(token: string, current_password: string | undefined, new_password = NEW_PASSWORD) {
  return call('POST', PASSWORD, { token, body: { current_password, new_password } })
}

describe('changing a password', () => {
  test('replaces the old password and ends every session except the current one', async () => {
    const person = await register(testContext)
    const other = (await login(person, person.password)).json.access_token
    const answer = await change(person.token, person.password)
    expect([answer.status, answer.json.id, answer.json.has_password]).toEqual([200, person.id, true])
    expect([await isOpen(person.token), await isOpen(other)]).toEqual([true, false])
    expect((await login(person, person.password)).status).toBe(401)
    expect((await login(person, NEW_PASSWORD)).status).toBe(200)
  })

  test('in another session ends the session that the earlier change kept', async () => {
    const person = await register(testContext)
    await change(person.token, person.password)
    const second = (await login(person, NEW_PASSWORD)).json.access_token
    expect((await change(second, NEW_PASSWORD, 'a third password')).status).toBe(200)
    expect([await isOpen(person.token), await isOpen(second)]).toEqual([false, true])
    expect((await change(second, 'a third password', 'a fourth password')).status).toBe(200)
    expect(await isOpen(second)).toBe(true)
  })

  test('succeeds once for two concurrent requests', async () => {
    const person = await register(testContext)
    const second = (await login(person, person.password)).json.access_token
    const answers = await Promise.all([
      change(person.token, person.password),
      change(second, person.password, 'another password'),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  test.each([
    ['without the current password', { new_password: NEW_PASSWORD }, 400],
    [
      'with a wrong current password',
      { current_password: 'wrong password', new_password: NEW_PASSWORD },
      400,
    ],
    [
      'for a password that is too short',
      { current_password: 'correct horse battery', new_password: '1234567' },
      422,
    ],
    [
      'for a very common password',
      { current_password: 'correct horse battery', new_password: 'Password1' },
      422,
    ],
    [
      'for a very common password in other characters',
      { current_password: 'correct horse battery', new_password: 'ｐａｓｓｗｏｒｄ' },
      422,
    ],
    [
      'for a password of spaces',
      { current_password: 'correct horse battery', new_password: ' '.repeat(8) },
      422,
    ],
    [
      'for a password that is not a string',
      { current_password: 'correct horse battery', new_password: null },
      422,
    ],
  ])('is refused %s', async (_name, body, status) => {
    const { token } = await register(testContext)
    expect((await call('POST', PASSWORD, { token, body })).status).toBe(status)
  })

  test('is refused when the password is the address, with the location in the body', async () => {
    const { token, email, password } = await register(testContext)
    const answer = await change(token, password, email.toUpperCase())
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['body', 'new_password']])
  })

  test('needs no current password when the account has none', async () => {
    const person = await register(testContext)
    const sql = 'UPDATE accounts SET password_hash = NULL WHERE id = ?'
    await testContext.deps.db.$client.execute({ sql, args: [person.id] })
    expect((await change(person.token, undefined)).status).toBe(200)
    expect((await login(person, NEW_PASSWORD)).status).toBe(200)
  })
})

test('sign-in replaces a hash with outdated parameters', async () => {
  const person = await register(testContext)
  const salt = randomBytes(16)
  const old = scryptSync(person.password, salt, 32, { N: 2 ** 12, r: 8, p: 1 })
  const weak = `scrypt$4096$8$1$${salt.toString('base64')}$${old.toString('base64')}`
  const { db } = testContext.deps
  await db.$client.execute({
    sql: 'UPDATE accounts SET password_hash = ? WHERE id = ?',
    args: [weak, person.id],
  })
  expect((await login(person, person.password)).status).toBe(200)
  await testContext.settled()
  await eventually('the new hash', async () => {
    const { rows } = await db.$client.execute({
      sql: 'SELECT password_hash FROM accounts WHERE id = ?',
      args: [person.id],
    })
    return String(rows[0]?.password_hash).startsWith('scrypt$16384$8$1$')
  })
  expect((await login(person, person.password)).status).toBe(200)
})
