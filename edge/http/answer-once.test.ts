import { describe, expect, test, vi } from 'vitest'
import { makeTestContext, type TestContext } from '../../test/edge/worker/context.ts'
import { freshAddress, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import {
  giveCredits,
  ledgerOf,
  makeKey,
  type Person,
  register,
  SUBMISSION,
  submit,
} from '../../test/edge/worker/people.ts'
import { COMPRESS } from '../../test/edge/worker/studio.ts'
import { sealText } from '../platform/crypto/sealed-text.ts'
import { commit, LostRace } from '../platform/database/commit.ts'
import { beginRequest, completeStatement, forgetRequests } from '../platform/idempotency/queries.ts'

const testContext = makeTestContext()

const RUN = { ...COMPRESS, file_url: 'https://media.example.org/clip.mp4' }

const named = (key: string) => ({ headers: { 'idempotency-key': key } })
const submitNamed = ({ call }: TestContext, { token }: Person, key: string, body: object = SUBMISSION) =>
  call('POST', '/api/v1/jobs', { token, body, ...named(key) })

async function query({ deps }: TestContext, sql: string, ...args: (string | number)[]) {
  return (await deps.db.$client.execute({ sql, args })).rows
}

const countJobs = async (person: Person) =>
  Number(
    (await query(testContext, 'SELECT count(*) AS total FROM jobs WHERE account_id = ?', person.id))[0]
      ?.total,
  )

describe('a job submission with an Idempotency-Key', () => {
  test('gets the first response when repeated, and is charged once', async () => {
    const person = await register(testContext)
    const key = crypto.randomUUID()
    const first = await submitNamed(testContext, person, key)
    const again = await submitNamed(testContext, person, key)
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.json).toEqual(first.json)
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(await ledgerOf(testContext, person)).toMatchObject({ balance: 18, check: { ok: true } })
    expect(await countJobs(person)).toBe(1)
  })

  test('sent ten times concurrently is charged once; the others get "in progress" or the response', async () => {
    const person = await register(testContext)
    const key = crypto.randomUUID()
    const answers = await Promise.all(Array.from({ length: 10 }, () => submitNamed(testContext, person, key)))
    const created = answers.filter(({ status }) => status === 201)
    expect(created.length).toBeGreaterThan(0)
    expect(new Set(created.map(({ json }) => json.id)).size).toBe(1)
    for (const { status, headers } of answers.filter(({ status }) => status !== 201)) {
      expect([status, headers.get('retry-after')]).toEqual([409, '1'])
    }
    expect(await countJobs(person)).toBe(1)
  })

  test('is 422 when its key names another request, also on another path', async () => {
    const person = await register(testContext)
    const key = crypto.randomUUID()
    const job = await submitNamed(testContext, person, key)
    const other = await submitNamed(testContext, person, key, { ...SUBMISSION, operation_key: 'mute' })
    const repeat = `/api/v1/jobs/${job.json.id}/repeat`
    const elsewhere = await testContext.call('POST', repeat, { token: person.token, ...named(key) })
    expect([other.status, elsewhere.status]).toEqual([422, 422])
    expect(other.json.detail).toMatchObject([
      { loc: ['header', 'idempotency-key'], type: 'idempotency_key_reused' },
    ])
    expect(await countJobs(person)).toBe(1)
  })

  test('does not conflict with the same key of another account', async () => {
    const [one, other] = [await register(testContext), await register(testContext)]
    const key = crypto.randomUUID()
    const answers = [await submitNamed(testContext, one, key), await submitNamed(testContext, other, key)]
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[0]?.json.id).not.toBe(answers[1]?.json.id)
  })

  test('shares its key among the API keys and sessions of the account', async () => {
    const person = await register(testContext)
    const { key: apiKey } = await makeKey(testContext, person)
    const key = crypto.randomUUID()
    const call = (credential: object) =>
      testContext.call('POST', '/api/v1/jobs/api', { ...credential, body: SUBMISSION, ...named(key) })
    const first = await call({ key: apiKey })
    expect((await call({ token: person.token })).json.id).toBe(first.json.id)
  })

  test('gets the same refusal when repeated after a permanent one', async () => {
    const person = await register(testContext)
    const wrong = { ...SUBMISSION, operation_key: 'nothing' }
    const [first, again] = [
      await submitNamed(testContext, person, 'refused', wrong),
      await submitNamed(testContext, person, 'refused', wrong),
    ]
    expect([first.status, again.status]).toEqual([400, 400])
    expect(first.json.code).toBe('unknown_operation')
    expect({ ...again.json, request_id: '' }).toEqual({ ...first.json, request_id: '' })
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  test('repeats a refusal stored before error codes existed unchanged', async () => {
    const person = await register(testContext)
    const wrong = { ...SUBMISSION, operation_key: 'nothing' }
    await submitNamed(testContext, person, 'earlier', wrong)
    const detail = 'unknown operation: video/nothing'
    const answer = sealText(testContext.deps.env.SESSION_KEYS, JSON.stringify(detail))
    const owner = `account:${person.id}`
    await query(testContext, 'UPDATE idempotency_keys SET answer = ? WHERE owner = ?', answer, owner)
    const again = await submitNamed(testContext, person, 'earlier', wrong)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([400, 'true'])
    expect(again.json).toEqual({ detail, request_id: again.headers.get('x-request-id') })
  })

  test('refused for too many open jobs can be repeated later', async () => {
    const limited = await makeLimitedContext({ in_flight_max_free: 1 })
    const person = await register(limited)
    const open = await submit(limited, person)
    const full = await submitNamed(limited, person, 'later')
    expect(full.status).toBe(429)
    await limited.call('POST', `/api/v1/jobs/${open}/cancel`, { token: person.token })
    expect((await submitNamed(limited, person, 'later')).status).toBe(201)
  })

  test.each(['', 'x'.repeat(256)])('is refused with the key %j', async (key) => {
    const person = await register(testContext)
    const answer = await submitNamed(testContext, person, key)
    expect(answer.status).toBe(422)
    expect(answer.faults[0]?.loc).toEqual(['header', 'idempotency-key'])
  })

  test('runs again after a day', async () => {
    const later = await makeLimitedContext()
    const person = await register(later)
    const first = await submitNamed(later, person, 'daily')
    await giveCredits(later, person, 100)
    later.clock.now += 24 * 60 * 60 * 1000
    const second = await submitNamed(later, person, 'daily')
    expect(second.status).toBe(201)
    expect(second.json.id).not.toBe(first.json.id)
  })
})

describe('an interrupted request', () => {
  const requestOf = ({ id }: Person, fingerprint = 'f') => ({
    owner: `account:${id}`,
    key: crypto.randomUUID(),
    fingerprint,
  })

  test('before the work can be retried once its lock expires, and no sooner', async () => {
    const { db } = testContext.deps
    const request = requestOf(await register(testContext))
    const now = Date.now()
    expect(await beginRequest(db, request, now)).toBeNull()
    expect(await beginRequest(db, request, now + 29_000)).toMatchObject({ completions: 0 })
    expect(await beginRequest(db, { ...request, fingerprint: 'g' }, now + 31_000)).not.toBeNull()
    expect(await beginRequest(db, request, now + 31_000)).toBeNull()
  })

  test('cannot complete twice: only the first of two commits is written', async () => {
    const { db } = testContext.deps
    const request = requestOf(await register(testContext))
    await beginRequest(db, request, Date.now())
    const { fingerprint } = request
    const complete = (answer: string) =>
      commit(db, [completeStatement(db, request, { status: 201, answer, fingerprint })])
    await complete('first')
    await expect(complete('second')).rejects.toBeInstanceOf(LostRace)
    expect(await beginRequest(db, request, Date.now())).toMatchObject({ answer: 'first', status: 201 })
  })

  test('after the commit gets the response of that commit when repeated', async () => {
    const person = await register(testContext)
    const key = crypto.randomUUID()
    const first = await submitNamed(testContext, person, key)
    // The row is as the commit left it, as if the request had crashed right afterwards.
    const [row] = await query(
      testContext,
      'SELECT completions, status, locked_until > 0 AS locked FROM idempotency_keys WHERE key = ?',
      key,
    )
    expect(row).toMatchObject({ completions: 1, status: 201, locked: 1 })
    expect((await submitNamed(testContext, person, key)).json.id).toBe(first.json.id)
  })

  /**
   * Creates a test context whose connection fails at the next commit, either before or after the commit is written.
   */
  function makeFailingContext(when: 'before' | 'after'): TestContext {
    const breaking = makeTestContext()
    const client = breaking.deps.db.$client
    const batch = client.batch.bind(client)
    let isWhole = true
    client.batch = async (statements, mode) => {
      const breaks = isWhole && mode === 'write'
      if (breaks) isWhole = false
      if (breaks && when === 'before') throw new Error('the connection broke')
      const results = await batch(statements, mode)
      if (breaks) throw new Error('the connection broke')
      return results
    }
    return breaking
  }

  test('whose connection fails after the commit gets the committed response', async () => {
    const person = await register(testContext)
    const key = crypto.randomUUID()
    const first = await submitNamed(makeFailingContext('after'), person, key)
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect((await submitNamed(testContext, person, key)).json.id).toBe(first.json.id)
    expect([await countJobs(person), (await ledgerOf(testContext, person)).balance]).toEqual([1, 18])
  })

  test('whose connection fails before the commit can be retried immediately', async () => {
    const person = await register(testContext)
    const key = crypto.randomUUID()
    expect((await submitNamed(makeFailingContext('before'), person, key)).status).toBe(500)
    expect((await submitNamed(testContext, person, key)).status).toBe(201)
    expect([await countJobs(person), (await ledgerOf(testContext, person)).balance]).toEqual([1, 18])
  })
})

describe('an API key creation', () => {
  test('happens once per Idempotency-Key, and the database never holds the plaintext', async () => {
    const { token, id } = await register(testContext)
    const create = () =>
      testContext.call('POST', '/api/v1/tokens', { token, body: { name: 'a' }, ...named('one') })
    const [first, again] = [await create(), await create()]
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.json).toEqual(first.json)
    expect((await testContext.call('GET', '/api/v1/tokens', { token })).json).toHaveLength(1)
    const rows = await query(testContext, 'SELECT * FROM idempotency_keys WHERE owner = ?', `account:${id}`)
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(first.json.plaintext)
  })

  test('with twenty keys concurrently returns twenty ids', async () => {
    const { token } = await register(testContext)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => testContext.call('POST', '/api/v1/tokens', { token, body: {} })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(20)
  })
})

test('anonymous callers at one address have separate keys, and keep them at another address', async () => {
  const [key, one, other] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  const [here, there] = [freshAddress(), freshAddress()]
  const run = async (id: string, address: string) => {
    const headers = { 'idempotency-key': key, 'x-anonymous-id': id, 'cf-connecting-ip': address }
    const { status, json } = await testContext.call('POST', '/api/v1/studio/run', { body: RUN, headers })
    expect(status).toBe(201)
    return json.job.id
  }
  const first = await run(one, here)
  expect(await run(other, here)).not.toBe(first)
  expect(await run(one, there)).toBe(first)
})

test('a form that arrives more slowly than a lock lasts still runs only once', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  try {
    const slow = await makeLimitedContext()
    const person = await register(slow)
    const field = (name: string, value: string) =>
      `--x\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${value}`
    const fields = [field('"service_slug"', 'image'), field('"operation_key"', 'strip_meta')]
    const head = [...fields, field('"file"; filename="a.png"', 'abc')].join('\r\n')
    const tail = '\r\n--x--\r\n'
    const headers = {
      'content-type': 'multipart/form-data; boundary=x',
      'idempotency-key': crypto.randomUUID(),
    }
    const send = (content: BodyInit) =>
      slow.call('POST', '/api/v1/jobs/upload', { token: person.token, content, headers })
    const { readable, writable } = new IdentityTransformStream()
    const first = send(readable)
    const writer = writable.getWriter()
    await writer.write(new TextEncoder().encode(head))
    slow.clock.now += 25_000
    vi.advanceTimersByTime(10_000)
    const lock = 'SELECT locked_until FROM idempotency_keys WHERE owner = ?'
    const lockedUntil = async () => (await query(slow, lock, `account:${person.id}`))[0]?.locked_until
    await expect.poll(lockedUntil).toBe(slow.clock.now + 30_000)
    slow.clock.now += 25_000
    expect((await send(head + tail)).status).toBe(409)
    await writer.write(new TextEncoder().encode(tail))
    await writer.close()
    expect((await first).status).toBe(201)
    expect((await send(head + tail)).json).toEqual((await first).json)
  } finally {
    vi.useRealTimers()
  }
})

test('a repeated repeat request creates one job', async () => {
  const person = await register(testContext)
  const id = await submit(testContext, person)
  const repeat = () =>
    testContext.call('POST', `/api/v1/jobs/${id}/repeat`, { token: person.token, ...named('again') })
  const [first, again] = [await repeat(), await repeat()]
  expect([first.status, again.json.id]).toEqual([201, first.json.id])
  expect(await countJobs(person)).toBe(2)
})

test('keys older than a day are removed', async () => {
  const person = await register(testContext)
  await submitNamed(testContext, person, 'old')
  const owned = () =>
    query(testContext, 'SELECT key FROM idempotency_keys WHERE owner = ?', `account:${person.id}`)
  await forgetRequests(testContext.deps.db, Date.now())
  expect(await owned()).toHaveLength(1)
  await query(
    testContext,
    'UPDATE idempotency_keys SET created_at = 0 WHERE owner = ?',
    `account:${person.id}`,
  )
  await forgetRequests(testContext.deps.db, Date.now())
  expect(await owned()).toHaveLength(0)
})
