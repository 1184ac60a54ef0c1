import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { register } from '../../test/edge/worker/people.ts'
import { nameOfKey } from '../platform/crypto/sealed-text.ts'
import { findConnection } from './queries.ts'
import { resealConnections } from './reseal.ts'
import { openSecret } from './secret.ts'

const KEYS = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64'))
const contextOf = (...keys: number[]) =>
  makeTestContext({ STORAGE_KEYS: keys.map((key) => KEYS[key - 1]).join(',') })
const CONNECTION = {
  name: 'archive',
  endpoint: 'https://s3.media.example.org',
  region: 'eu-central-1',
  bucket: 'media-archive',
  access_key_id: 'AKIAEXAMPLE',
  secret_access_key: 'a-very-secret-access-key',
}

/** Connects a storage on a server with one key. */
async function connect(key: number) {
  const context = contextOf(key)
  const { id, token } = await register(context)
  const answer = await context.call('POST', '/api/v1/storage-connections', { token, body: CONNECTION })
  expect(answer.status, answer.text).toBe(201)
  const find = async () => {
    const found = await findConnection(context.deps.db, id, 'archive')
    if (found === undefined) throw new Error('the connection is gone')
    return found
  }
  return { find, change: (sql: string) => context.deps.db.$client.execute({ sql, args: [id] }) }
}

/** Runs the task until it has nothing left to do, as the database is shared with other tests. */
async function resealAll({ deps }: ReturnType<typeof contextOf>): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await resealConnections(deps)
}

describe('the credentials of a storage', () => {
  test('are encrypted again with the first key, after which the old one can be removed', async () => {
    const { find, change } = await connect(1)
    const before = await find()
    await change('UPDATE storage_connections SET sealed_with = NULL WHERE account_id = ?')
    await resealAll(contextOf(2, 1))
    const after = await find()
    expect(after.sealedSecret).not.toBe(before.sealedSecret)
    expect(after.sealedWith).toBe(nameOfKey(KEYS[1] ?? ''))
    expect(openSecret(contextOf(2).deps, after.sealedSecret)).toBe(CONNECTION.secret_access_key)
    await resealAll(contextOf(2, 1))
    expect(await find()).toEqual(after)
  })

  test('that no key opens are kept, and opened when their key returns', async () => {
    const { find } = await connect(3)
    const { sealedSecret } = await find()
    await resealAll(contextOf(2, 1))
    expect((await find()).sealedSecret).toBe(sealedSecret)
    await resealAll(contextOf(1, 3))
    expect(openSecret(contextOf(1).deps, (await find()).sealedSecret)).toBe(CONNECTION.secret_access_key)
  })
})
