import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { makeKey, type Person, register } from '../../test/edge/worker/people.ts'
import { makeReceiver } from '../../test/edge/worker/receivers.ts'

const testContext = makeTestContext()
/** Allows private addresses, because the storage runs locally. */
const local = makeTestContext({ ALLOW_PRIVATE_SOURCES: 'true' })
const { call } = testContext
const PATH = '/api/v1/storage-connections'
const SECRET = 'a-very-secret-access-key'
const CONNECTION = {
  name: 'archive',
  endpoint: 'https://s3.media.example.org/',
  region: 'eu-central-1',
  bucket: 'media-archive',
  prefix: '/videos/2026/',
  access_key_id: 'AKIAEXAMPLE',
  secret_access_key: SECRET,
}

const as = ({ token }: Person) => ({ token })
const create = (person: Person, changed: object = {}) =>
  call('POST', PATH, { ...as(person), body: { ...CONNECTION, ...changed } })
const list = async (person: Person) => (await call('GET', PATH, as(person))).json

describe('a storage connection', () => {
  test('is created without slashes around its parts, and listed without its secret', async () => {
    const person = await register(testContext)
    const created = await create(person)
    expect(created.status, created.text).toBe(201)
    const { secret_access_key: _secret, ...shown } = CONNECTION
    expect(created.json).toEqual({
      ...shown,
      endpoint: 'https://s3.media.example.org',
      prefix: 'videos/2026',
      created_at: expect.any(String),
      updated_at: created.json.created_at,
    })
    const { key } = await makeKey(testContext, person)
    expect(await list(person)).toEqual([created.json])
    expect((await call('GET', PATH, { key })).json).toEqual([created.json])
  })

  test('keeps its secret out of the database and of every response', async () => {
    const person = await register(testContext)
    const body = CONNECTION
    const headers = { 'idempotency-key': 'once' }
    const answers = [
      await call('POST', PATH, { ...as(person), body, headers }),
      await call('POST', PATH, { ...as(person), body, headers }),
      await call('GET', PATH, as(person)),
      await call('PATCH', `${PATH}/archive`, { ...as(person), body: { secret_access_key: `${SECRET}-2` } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 200])
    for (const { text } of answers) expect(text).not.toContain(SECRET)
    for (const table of ['storage_connections', 'idempotency_keys', 'outbox', 'audit']) {
      const { rows } = await testContext.deps.db.$client.execute(`SELECT * FROM ${table}`)
      expect(JSON.stringify(rows)).not.toContain(SECRET)
    }
  })

  test('can be changed and deleted', async () => {
    const person = await register(testContext)
    await create(person)
    const body = { bucket: 'other-bucket', prefix: '' }
    const changed = await call('PATCH', `${PATH}/archive`, { ...as(person), body })
    expect([changed.status, changed.json]).toEqual([200, expect.objectContaining(body)])
    expect(await list(person)).toEqual([changed.json])
    expect((await call('DELETE', `${PATH}/archive`, as(person))).status).toBe(204)
    expect(await list(person)).toEqual([])
    expect((await call('DELETE', `${PATH}/archive`, as(person))).status).toBe(404)
  })

  test('needs a name that the account does not use yet; other accounts may use it', async () => {
    const [person, other] = [await register(testContext), await register(testContext)]
    const answers = await Promise.all([create(person), create(person), create(other)])
    expect(
      answers
        .slice(0, 2)
        .map(({ status }) => status)
        .sort(),
    ).toEqual([201, 409])
    expect(answers[2].status).toBe(201)
    expect((await create(person)).json.code).toBe('storage_connection_exists')
  })

  test('cannot be added to twenty, also not concurrently', async () => {
    const person = await register(testContext)
    const answers = await Promise.all(
      Array.from({ length: 22 }, (_, index) => create(person, { name: `c${index}` })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect((await create(person, { name: 'more' })).json.code).toBe('too_many_storage_connections')
  })

  test.each([
    [{ name: 'Archive' }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'a'.repeat(65) }, 'name'],
    [{ name: 'a/b' }, 'name'],
    [{ endpoint: 'http://s3.media.example.org' }, 'endpoint'],
    [{ endpoint: 'https://127.0.0.1:9000' }, 'endpoint'],
    [{ endpoint: 'https://169.254.169.254' }, 'endpoint'],
    [{ endpoint: 'https://private.example.org' }, 'endpoint'],
    [{ endpoint: 'https://nowhere.example.org' }, 'endpoint'],
    [{ endpoint: 'https://s3.media.example.org/?x=1' }, 'endpoint'],
    [{ endpoint: 'https://user:pass@s3.media.example.org/' }, 'endpoint'],
    [{ endpoint: 'ftp://s3.media.example.org' }, 'endpoint'],
    [{ region: 'eu central' }, 'region'],
    [{ bucket: 'a/b' }, 'bucket'],
    [{ bucket: '..' }, 'bucket'],
    [{ prefix: 'a/../b' }, 'prefix'],
    [{ prefix: 'a\u0001b' }, 'prefix'],
    [{ access_key_id: '' }, 'access_key_id'],
    [{ access_key_id: 'a b' }, 'access_key_id'],
    [{ secret_access_key: 'ü' }, 'secret_access_key'],
    [{ secret_access_key: 5 }, 'secret_access_key'],
  ])('cannot have %j', async (changed, field) => {
    const person = await register(testContext)
    const answer = await create(person, changed)
    expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['body', field]])
    expect(await list(person)).toEqual([])
  })

  test('cannot be changed to an endpoint that is not public, or by an empty change', async () => {
    const person = await register(testContext)
    await create(person)
    for (const body of [{ endpoint: 'https://10.0.0.1' }, {}, { name: 'other' }])
      expect((await call('PATCH', `${PATH}/archive`, { ...as(person), body })).status).toBe(422)
  })

  test('of another account is treated like an unknown one', async () => {
    const [owner, stranger] = [await register(testContext), await register(testContext)]
    await create(owner)
    const body = { bucket: 'theirs-now' }
    const answers = [
      await call('PATCH', `${PATH}/archive`, { ...as(stranger), body }),
      await call('DELETE', `${PATH}/archive`, as(stranger)),
      await call('POST', `${PATH}/archive/check`, as(stranger)),
    ]
    for (const answer of answers)
      expect([answer.status, answer.code]).toEqual([404, 'storage_connection_not_found'])
    expect(await list(owner)).toMatchObject([{ bucket: CONNECTION.bucket }])
  })

  test('needs a session to be changed, and a server that has a key for secrets', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    expect((await call('POST', PATH, { key, body: CONNECTION })).status).toBe(401)
    const without = makeTestContext({ STORAGE_KEYS: '' })
    const answer = await without.call('POST', PATH, { ...as(person), body: CONNECTION })
    expect([answer.status, answer.code]).toEqual([503, 'storage_connections_not_configured'])
  })
})

describe('the check of a storage connection', () => {
  async function check(endpoint: string) {
    const person = await register(local)
    const body = { ...CONNECTION, endpoint }
    expect((await local.call('POST', PATH, { ...as(person), body })).status).toBe(201)
    const answer = await local.call('POST', `${PATH}/archive/check`, as(person))
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain(SECRET)
    return answer.json
  }

  test.each([
    [{ status: 200 }, null, 200],
    [{ status: 403 }, 'access_denied', 403],
    [{ status: 404 }, 'missing_bucket', 404],
    [{ status: 302, location: 'https://media.example.org/' }, 'redirected', 302],
    [{ status: 503 }, 'refused', 503],
    ['hang_up' as const, 'unreachable', null],
  ])('of a storage that responds with %j reports %s', async (mode, problem, status) => {
    const storage = makeReceiver()
    await storage.setMode(mode)
    expect(await check(storage.url)).toEqual({
      ok: problem === null,
      problem,
      status,
      message: problem === null ? null : expect.any(String),
    })
  })

  test('does not connect to an endpoint that has become private', async () => {
    const person = await register(local)
    const storage = makeReceiver()
    await local.call('POST', PATH, { ...as(person), body: { ...CONNECTION, endpoint: storage.url } })
    const { json } = await call('POST', `${PATH}/archive/check`, as(person))
    expect(json).toMatchObject({ ok: false, problem: 'not_public', status: null })
    expect(await storage.received()).toEqual([])
  })
})
