import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { eventually, makeTestContext, timeOf } from '../../test/edge/worker/context.ts'
import { ledgerOf, makeKey, type Person, register, SUBMISSION } from '../../test/edge/worker/people.ts'
import { makeReceiver, type Receiver } from '../../test/edge/worker/receivers.ts'
import { doneOutcome, FAILED, finished, report, started } from '../../test/edge/worker/reports.ts'
import { runScheduled } from '../scheduled.ts'

/** The receivers run on this machine. */
const testContext = makeTestContext({ ALLOW_PRIVATE_SOURCES: 'true' })
const { call, deps } = testContext
const DAY_MS = 24 * 60 * 60 * 1000

async function submitTelling(person: Person, webhook_url: string): Promise<string> {
  const answer = await call('POST', '/api/v1/jobs', {
    token: person.token,
    body: { ...SUBMISSION, webhook_url },
  })
  expect([answer.status, answer.json.webhook_url], answer.text).toEqual([201, webhook_url])
  return answer.json.id
}

const received = (receiver: Receiver, count: number) =>
  eventually(`${count} webhooks`, async () => {
    const all = await receiver.received()
    return all.length >= count && all
  })

const deliveries = async ({ token }: Person) =>
  (await call('GET', '/api/v1/webhooks/deliveries', { token })).json

/** Reads the account's only delivery after its first attempt. */
const attempted = (person: Person, attempts = 1) =>
  eventually('the attempt to be written down', async () => {
    const [delivery] = await deliveries(person)
    return delivery !== undefined && delivery.attempts >= attempts && delivery
  })

const secretOf = async ({ token }: Person): Promise<string> =>
  (await call('GET', '/api/v1/webhooks/secret', { token })).json.secret

function change(sql: string, ...args: (string | number)[]) {
  return deps.db.$client.execute({ sql, args })
}

/** Makes a delivery's next attempt due now. */
async function retryNow(job: string): Promise<void> {
  await change('UPDATE outbox SET due_at = 0 WHERE id LIKE ?', `webhook:msg_${job}%`)
  await runScheduled(deps)
}

describe('a webhook', () => {
  test.each([
    ['job.done', (id: string) => report(testContext, finished(id, doneOutcome(id, 61)))],
    ['job.failed', (id: string) => report(testContext, finished(id, FAILED))],
    ['job.canceled', (id: string, token: string) => call('POST', `/api/v1/jobs/${id}/cancel`, { token })],
  ] as const)('%s contains the job and is signed by Standard Webhooks', async (type, end) => {
    const person = await register(testContext)
    const receiver = makeReceiver()
    const id = await submitTelling(person, receiver.url)
    await report(testContext, started(id))
    await end(id, person.token)
    const [sent] = await received(receiver, 1)
    const job = (await call('GET', `/api/v1/jobs/${id}`, { token: person.token })).json
    expect(JSON.parse(sent?.body ?? '')).toEqual({ type, timestamp: job.finished_at, data: job })
    expect(sent?.headers['content-type']).toBe('application/json')
    const verifier = new Webhook(await secretOf(person))
    expect(verifier.verify(sent?.body ?? '', sent?.headers ?? {})).toMatchObject({ type })
    expect(await attempted(person)).toMatchObject({
      id: sent?.headers['webhook-id'],
      job_id: id,
      type,
      url: receiver.url,
      status: 'delivered',
      attempts: 1,
      response_status: 204,
      error: null,
      next_attempt_at: null,
    })
    expect(await receiver.received()).toHaveLength(1)
    const left = await change('SELECT id FROM outbox WHERE id LIKE ?', `webhook:msg_${id}%`)
    expect(left.rows).toEqual([])
  })

  test('is sent once when the fleet reports the end twice', async () => {
    const person = await register(testContext)
    const receiver = makeReceiver()
    const id = await submitTelling(person, receiver.url)
    const body = finished(id, doneOutcome(id, 1))
    await Promise.all([
      report(testContext, body, { id: `end-${id}` }),
      report(testContext, body, { id: `end-${id}` }),
    ])
    await attempted(person)
    expect([(await receiver.received()).length, (await deliveries(person)).length]).toEqual([1, 1])
  })

  test.each([
    [{ status: 500 }, 500],
    [{ status: 404 }, 404],
    [{ status: 302, location: 'https://example.org/' }, 302],
    ['hang_up', null],
  ] as const)('with the response %j is retried until it succeeds', async (mode, response_status) => {
    const person = await register(testContext)
    const receiver = makeReceiver()
    await receiver.setMode(mode)
    const id = await submitTelling(person, receiver.url)
    const before = Date.now()
    await report(testContext, finished(id, doneOutcome(id, 1)))
    const failed = await attempted(person)
    expect(failed).toMatchObject({ status: 'pending', attempts: 1, response_status })
    expect(failed.error === null).toBe(response_status !== null)
    const pause = timeOf(failed.next_attempt_at) - before
    expect([pause > 14_000, pause < 60_000]).toEqual([true, true])
    await runScheduled(deps)
    expect((await deliveries(person))[0]?.attempts).toBe(1)
    await receiver.setMode({ status: 200 })
    await retryNow(id)
    expect(await attempted(person, 2)).toMatchObject({ status: 'delivered', response_status: 200 })
    const ids = (await receiver.received()).map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids)).toEqual(new Set([`msg_${id}_job_done`]))
  })

  test('with the response 410 is not retried', async () => {
    const person = await register(testContext)
    const receiver = makeReceiver()
    await receiver.setMode({ status: 410 })
    const id = await submitTelling(person, receiver.url)
    await report(testContext, finished(id, doneOutcome(id, 1)))
    expect(await attempted(person)).toMatchObject({ status: 'failed', response_status: 410 })
    await retryNow(id)
    expect(await receiver.received()).toHaveLength(1)
  })

  test('that fails for a day is given up', async () => {
    const person = await register(testContext)
    const receiver = makeReceiver()
    await receiver.setMode({ status: 503 })
    const id = await submitTelling(person, receiver.url)
    await report(testContext, finished(id, doneOutcome(id, 1)))
    await attempted(person)
    const yesterday = Date.now() - DAY_MS
    const moved = [
      change('UPDATE webhook_deliveries SET retry_until = ? WHERE job_id = ?', yesterday, id),
      change(
        "UPDATE outbox SET payload = json_set(payload, '$.retry_until', ?) WHERE id LIKE ?",
        yesterday,
        `webhook:msg_${id}%`,
      ),
    ]
    await Promise.all(moved)
    await retryNow(id)
    expect(await attempted(person, 2)).toMatchObject({ status: 'failed', next_attempt_at: null })
  })

  test('that cannot be sent leaves the job unchanged', async () => {
    const person = await register(testContext)
    const id = await submitTelling(person, 'http://127.0.0.1:9/')
    await report(testContext, finished(id, doneOutcome(id, 1)))
    expect(await attempted(person)).toMatchObject({ status: 'pending', response_status: null })
    expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: 18 })
  })

  test('is resent on request under the same id', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const receiver = makeReceiver()
    const id = await submitTelling(person, receiver.url)
    await report(testContext, finished(id, doneOutcome(id, 1)))
    await attempted(person)
    const answer = await call('POST', `/api/v1/webhooks/deliveries/msg_${id}_job_done/replay`, { key })
    const restarted = { status: 'pending', attempts: 0, response_status: null, error: null }
    expect([answer.status, answer.json]).toMatchObject([202, restarted])
    const sent = await received(receiver, 2)
    expect(new Set(sent.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([`msg_${id}_job_done`]))
    expect(await attempted(person)).toMatchObject({ status: 'delivered' })
    const stranger = await register(testContext)
    for (const [delivery, token] of [
      [`msg_${id}_job_done`, stranger.token],
      ['msg_x', person.token],
    ]) {
      const path = `/api/v1/webhooks/deliveries/${delivery}/replay`
      expect((await call('POST', path, { token })).status).toBe(404)
    }
    expect(await deliveries(stranger)).toEqual([])
  })
})

describe('the webhook secret', () => {
  test('is created once and shown only to sessions', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const [first, second] = await Promise.all([secretOf(person), secretOf(person)])
    expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(second).toBe(first)
    expect(await secretOf(await register(testContext))).not.toBe(first)
    expect((await call('GET', '/api/v1/webhooks/secret', { key })).status).toBe(401)
    expect((await call('POST', '/api/v1/webhooks/secret', { key })).status).toBe(401)
    expect((await call('GET', '/api/v1/webhooks/secret')).status).toBe(401)
  })

  test('is rotated once per Idempotency-Key, because a repetition would end the previous secret at once', async () => {
    const person = await register(testContext)
    const options = { token: person.token, headers: { 'idempotency-key': crypto.randomUUID() } }
    const rotate = async () => (await call('POST', '/api/v1/webhooks/secret', options)).json
    const rotated = await rotate()
    expect(await rotate()).toEqual(rotated)
    expect(await secretOf(person)).toBe(rotated.secret)
  })

  test('from before a rotation signs along with the new one for a day', async () => {
    const person = await register(testContext)
    const old = await secretOf(person)
    const rotated = (await call('POST', '/api/v1/webhooks/secret', { token: person.token })).json.secret
    expect([rotated === old, await secretOf(person)]).toEqual([false, rotated])
    const receiver = makeReceiver()
    const verifies = async (secret: string, index: number) => {
      const sent = (await received(receiver, index + 1))[index]
      try {
        return new Webhook(secret).verify(sent?.body ?? '', sent?.headers ?? {}) !== null
      } catch {
        return false
      }
    }
    const end = async () => {
      const id = await submitTelling(person, receiver.url)
      await report(testContext, finished(id, doneOutcome(id, 1)))
    }
    await end()
    expect([await verifies(old, 0), await verifies(rotated, 0)]).toEqual([true, true])
    await change(
      'UPDATE webhook_secrets SET created_at = created_at - ? WHERE account_id = ?',
      DAY_MS,
      person.id,
    )
    await end()
    expect([await verifies(old, 1), await verifies(rotated, 1)]).toEqual([false, true])
  })
})

describe('a webhook_url', () => {
  const strict = makeTestContext()

  test.each([
    'http://127.0.0.1/hook',
    'http://localhost/hook',
    'http://10.1.2.3/',
    'http://[::1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://user:secret@hooks.example.org/',
    'https://hooks.example.org:22/',
    'https://private.example.org/hook',
    'https://mixed.example.org/hook',
    'https://nowhere.example.org/hook',
    'https://empty.example.org/hook',
    'ftp://hooks.example.org/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'hooks.example.org',
    '',
    `https://hooks.example.org/${'x'.repeat(2100)}`,
    7,
    ['https://hooks.example.org/'],
  ])('%j is 422, and nothing is charged', async (webhook_url) => {
    const person = await register(strict)
    const answer = await strict.call('POST', '/api/v1/jobs', {
      token: person.token,
      body: { ...SUBMISSION, webhook_url },
    })
    expect(answer.status, answer.text).toBe(422)
    expect(answer.faults[0]).toMatchObject({ loc: ['body', 'webhook_url'], msg: expect.any(String) })
    expect((await ledgerOf(strict, person)).balance).toBe(20)
  })

  test.each([
    'https://hooks.example.org/a?b=c',
    'http://93.184.215.14:8080/',
    'https://broken.example.org/',
    null,
  ])('%j is accepted', async (webhook_url) => {
    const { token } = await register(strict)
    const body = { ...SUBMISSION, webhook_url }
    const answer = await strict.call('POST', '/api/v1/jobs', { token, body })
    expect([answer.status, answer.json.webhook_url]).toEqual([201, webhook_url])
  })

  test('whose host now resolves to a private address gets no webhook', async () => {
    const person = await register(strict)
    const receiver = makeReceiver()
    const id = await submitTelling(person, receiver.url)
    await report(strict, finished(id, doneOutcome(id, 1)))
    expect(await attempted(person)).toMatchObject({
      status: 'pending',
      error: expect.stringContaining('does not lead to a public address'),
    })
    const translated = await strict.call('GET', '/api/v1/webhooks/deliveries', {
      token: person.token,
      headers: { 'accept-language': 'uk' },
    })
    expect(translated.json[0]?.error).toContain('не веде до загальнодоступної адреси')
    expect(await receiver.received()).toEqual([])
  })
})
