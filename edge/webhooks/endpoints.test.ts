import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { eventually, makeTestContext } from '../../test/edge/worker/context.ts'
import { makeKey, register, SUBMISSION, submit } from '../../test/edge/worker/people.ts'
import { makeReceiver } from '../../test/edge/worker/receivers.ts'
import { doneOutcome, FAILED, finished, report } from '../../test/edge/worker/reports.ts'
import { ENDPOINTS, received, webhookDesk } from '../../test/edge/worker/webhooks.ts'

/** Allows private addresses, because the receivers run locally. */
const testContext = makeTestContext({ ALLOW_PRIVATE_SOURCES: 'true' })
const { call } = testContext
const DAY_MS = 24 * 60 * 60 * 1000
const { change, makeEndpoint, showEndpoint, deliveries, showDelivery, endJob, retryNow, endRetries } =
  webhookDesk(testContext)

describe('an endpoint', () => {
  test('receives the events it is subscribed to, signed with its own secret', async () => {
    const person = await register(testContext)
    const [all, failures] = [makeReceiver(), makeReceiver()]
    const created = await makeEndpoint(person, all.url)
    await makeEndpoint(person, failures.url, { events: ['job.failed'] })
    const done = await endJob(person)
    const failed = await endJob(person, (id) => finished(id, FAILED))
    const sent = await received(all, 2)
    const types = sent.map(({ body }) => JSON.parse(body)).map(({ type, data }) => [type, data.id])
    expect(types.toSorted()).toEqual([
      ['job.done', done],
      ['job.failed', failed],
    ])
    const [first] = sent
    const event = new Webhook(created.secret).verify(first?.body ?? '', first?.headers ?? {})
    const { token } = person
    const job = (await call('GET', `/api/v1/jobs/${done}`, { token })).json
    expect(event).toEqual({ type: 'job.done', timestamp: job.finished_at, data: job })
    expect(first?.headers['webhook-id']).toBe(`msg_${done}_job_done_${created.id}`)
    expect((await failures.received()).map(({ body }) => JSON.parse(body).data.id)).toEqual([failed])
  })

  test('receives an event once, also if its job has a webhook_url and its end is reported twice', async () => {
    const person = await register(testContext)
    const receiver = makeReceiver()
    await makeEndpoint(person, receiver.url)
    const body = { ...SUBMISSION, webhook_url: receiver.url }
    const { id } = (await call('POST', '/api/v1/jobs', { token: person.token, body })).json
    const end = finished(id, doneOutcome(id, 1))
    await Promise.all([report(testContext, end, { id }), report(testContext, end, { id })])
    await testContext.settled()
    const ids = (await receiver.received()).map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([2, 2])
    expect(await deliveries(person)).toHaveLength(2)
  })

  test('is told of every file that the cancellation of a batch cancels', async () => {
    const person = await register(testContext)
    const receiver = makeReceiver()
    await makeEndpoint(person, receiver.url, { events: ['job.canceled'] })
    const { token } = person
    const { service_slug, operation_key, params } = SUBMISSION
    const body = { service_slug, operation_key, file_urls: [params.file_url, params.file_url] }
    const batch = (await call('POST', '/api/v1/studio/batch', { token, body })).json
    expect((await call('POST', `/api/v1/studio/batches/${batch.id}/cancel`, { token })).status).toBe(200)
    const sent = (await received(receiver, 2)).map(({ body: text }) => JSON.parse(text).data.id)
    expect(sent.toSorted()).toEqual(batch.jobs.map(({ id }: { id: string }) => id).toSorted())
  })

  test('waits while four others of the account hang, and then receives its event', async () => {
    const person = await register(testContext)
    const receivers = Array.from({ length: 5 }, makeReceiver)
    for (const receiver of receivers) {
      await receiver.setMode('silent')
      await makeEndpoint(person, receiver.url)
    }
    const id = await submit(testContext, person)
    await report(testContext, finished(id, doneOutcome(id, 1)))
    const counts = () => Promise.all(receivers.map(async (one) => (await one.received()).length))
    const total = async () => (await counts()).reduce((sum, count) => sum + count, 0)
    await eventually('four attempts', async () => (await total()) === 4)
    for (const receiver of receivers) await receiver.setMode({ status: 204 })
    await testContext.settled()
    expect(await counts()).toEqual([1, 1, 1, 1, 1])
  })

  test('that is disabled receives nothing, and pending deliveries are given up', async () => {
    const person = await register(testContext)
    const { token } = person
    const receiver = makeReceiver()
    await receiver.setMode({ status: 500 })
    const { id } = await makeEndpoint(person, receiver.url)
    await endJob(person)
    await call('PATCH', `${ENDPOINTS}/${id}`, { token, body: { enabled: false } })
    await retryNow({ id })
    await endJob(person)
    const [delivery, ...others] = await deliveries(person)
    expect([delivery, others]).toMatchObject([
      { status: 'failed', attempts: 1, error: 'The endpoint is disabled.' },
      [],
    ])
    expect(await receiver.received()).toHaveLength(1)
    const replay = () => call('POST', `/api/v1/webhooks/deliveries/${delivery?.id ?? ''}/replay`, { token })
    expect((await replay()).code).toBe('webhook_endpoint_disabled')
    await receiver.setMode({ status: 204 })
    await call('PATCH', `${ENDPOINTS}/${id}`, { token, body: { enabled: true } })
    expect((await replay()).status).toBe(202)
    await received(receiver, 2)
  })

  test('that is deleted receives nothing, and its deliveries remain as failed', async () => {
    const person = await register(testContext)
    const { token } = person
    const receiver = makeReceiver()
    await receiver.setMode({ status: 500 })
    const { id } = await makeEndpoint(person, receiver.url)
    await endJob(person)
    expect((await call('DELETE', `${ENDPOINTS}/${id}`, { token })).status).toBe(204)
    await retryNow({ id })
    const [delivery] = await deliveries(person)
    expect(delivery).toMatchObject({ endpoint_id: id, status: 'failed', error: 'The endpoint was deleted.' })
    expect(await receiver.received()).toHaveLength(1)
    expect((await call('GET', `${ENDPOINTS}/${id}`, { token })).code).toBe('webhook_endpoint_not_found')
  })

  test('receives pending deliveries at its new URL', async () => {
    const person = await register(testContext)
    const [old, moved] = [makeReceiver(), makeReceiver()]
    await old.setMode({ status: 404 })
    const { id } = await makeEndpoint(person, old.url)
    await endJob(person)
    expect((await showEndpoint(person, id)).failing_since).not.toBeNull()
    const body = { url: moved.url }
    const { json } = await call('PATCH', `${ENDPOINTS}/${id}`, { token: person.token, body })
    expect(json).toMatchObject({ url: moved.url, failing_since: null, events: ['*'] })
    await retryNow({ id })
    expect(await moved.received()).toHaveLength(1)
    const [delivery] = await deliveries(person)
    expect(delivery).toMatchObject({ status: 'delivered', attempts: 2, url: moved.url })
  })

  test('that responds with 410 is disabled until its owner enables it', async () => {
    const person = await register(testContext)
    const receiver = makeReceiver()
    await receiver.setMode({ status: 410 })
    const { id } = await makeEndpoint(person, receiver.url)
    await endJob(person)
    const gone = await showEndpoint(person, id)
    expect(gone).toMatchObject({ enabled: false, disabled_reason: 'gone', disabled_at: expect.any(String) })
    await endJob(person)
    expect(await receiver.received()).toHaveLength(1)
    const body = { enabled: true }
    const { json } = await call('PATCH', `${ENDPOINTS}/${id}`, { token: person.token, body })
    expect(json).toMatchObject({ enabled: true, disabled_reason: null, disabled_at: null })
  })

  test('that has failed for 5 days is disabled with an email when a delivery is given up', async () => {
    const person = await register(testContext)
    const receiver = makeReceiver()
    await receiver.setMode({ status: 500 })
    const endpoint = await makeEndpoint(person, receiver.url)
    const { id } = endpoint
    await change('UPDATE accounts SET email_verified_at = 1 WHERE id = ?', person.id)
    await endJob(person)
    await change('UPDATE webhook_endpoints SET failing_since = ? WHERE id = ?', Date.now() - 5 * DAY_MS, id)
    await retryNow(endpoint)
    expect((await showEndpoint(person, id)).enabled).toBe(true)
    await endRetries(endpoint)
    await retryNow(endpoint)
    expect(await showEndpoint(person, id)).toMatchObject({ enabled: false, disabled_reason: 'failing' })
    const { rows } = await change('SELECT payload FROM outbox WHERE id LIKE ?', `mail:%${id}:%`)
    expect(rows.map(({ payload }) => JSON.parse(String(payload)))).toMatchObject([
      { to: person.email, content: { kind: 'webhook_endpoint_disabled', url: receiver.url } },
    ])
  })

  test('that was moved during its last attempt is neither disabled nor reported', async () => {
    const person = await register(testContext)
    const receiver = makeReceiver()
    await receiver.setMode({ status: 500 })
    const endpoint = await makeEndpoint(person, receiver.url)
    await change('UPDATE accounts SET email_verified_at = 1 WHERE id = ?', person.id)
    await endJob(person)
    await change(
      'UPDATE webhook_endpoints SET failing_since = ? WHERE id = ?',
      Date.now() - 5 * DAY_MS,
      endpoint.id,
    )
    await endRetries(endpoint)
    await receiver.setMode('silent')
    const attempted = retryNow(endpoint)
    await received(receiver, 2)
    await change('UPDATE webhook_endpoints SET url = ? WHERE id = ?', makeReceiver().url, endpoint.id)
    await receiver.setMode({ status: 500 })
    await attempted
    expect((await showEndpoint(person, endpoint.id)).enabled).toBe(true)
    const { rows } = await change('SELECT payload FROM outbox WHERE id LIKE ?', `mail:%${endpoint.id}:%`)
    expect(rows).toEqual([])
    expect((await deliveries(person))[0]).toMatchObject({ status: 'failed' })
  })

  test('is healthy again after one success', async () => {
    const person = await register(testContext)
    const receiver = makeReceiver()
    await receiver.setMode({ status: 500 })
    const endpoint = await makeEndpoint(person, receiver.url)
    await endJob(person)
    await receiver.setMode({ status: 204 })
    await retryNow(endpoint)
    expect((await showEndpoint(person, endpoint.id)).failing_since).toBeNull()
  })
})

describe('a test of an endpoint', () => {
  test('returns the outcome of one attempt with a sample job', async () => {
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const receiver = makeReceiver()
    await receiver.setMode({ status: 200, body: 'thank you' })
    const { id, secret } = await makeEndpoint(person, receiver.url, { events: ['job.failed'] })
    const { status, json } = await call('POST', `${ENDPOINTS}/${id}/test`, { key })
    expect([status, json]).toMatchObject([
      200,
      {
        endpoint_id: id,
        job_id: null,
        type: 'test',
        status: 'delivered',
        attempts: 1,
        payload: { type: 'test', data: { status: 'done', service_slug: 'video' } },
        attempt_log: [{ response_status: 200, error: null, response_body: 'thank you' }],
      },
    ])
    const [sent] = await receiver.received()
    const event = new Webhook(secret).verify(sent?.body ?? '', sent?.headers ?? {})
    expect(event).toEqual(json.payload)
  })

  test('reaches a disabled endpoint, is not retried, and does not count as a failure', async () => {
    const person = await register(testContext)
    const { token } = person
    const receiver = makeReceiver()
    await receiver.setMode({ status: 410 })
    const endpoint = await makeEndpoint(person, receiver.url, { enabled: false })
    const { json } = await call('POST', `${ENDPOINTS}/${endpoint.id}/test`, { token })
    expect(json).toMatchObject({ status: 'failed', response_status: 410, next_attempt_at: null })
    await receiver.setMode({ status: 500 })
    await call('PATCH', `${ENDPOINTS}/${endpoint.id}`, { token, body: { enabled: true } })
    await call('POST', `${ENDPOINTS}/${endpoint.id}/test`, { token })
    await retryNow(endpoint)
    expect(await receiver.received()).toHaveLength(2)
    const shown = await showEndpoint(person, endpoint.id)
    expect(shown).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null })
  })
})

describe('the list of deliveries', () => {
  test('is filtered by endpoint, status, type and job', async () => {
    const person = await register(testContext)
    const [good, bad] = [makeReceiver(), makeReceiver()]
    await bad.setMode({ status: 500 })
    const [first, second] = [await makeEndpoint(person, good.url), await makeEndpoint(person, bad.url)]
    const done = await endJob(person)
    const failed = await endJob(person, (id) => finished(id, FAILED))
    const ids = async (query: string) => (await deliveries(person, query)).map(({ id }) => id).toSorted()
    const of = (job: string, { id }: { id: string }) =>
      `msg_${job}_job_${job === done ? 'done' : 'failed'}_${id}`
    expect(await ids(`?endpoint_id=${first.id}`)).toEqual([of(done, first), of(failed, first)].toSorted())
    expect(await ids('?status=pending')).toEqual([of(done, second), of(failed, second)].toSorted())
    expect(await ids('?type=job.failed')).toEqual([of(failed, first), of(failed, second)].toSorted())
    expect(await ids(`?job_id=${done}`)).toEqual([of(done, first), of(done, second)].toSorted())
    expect(await ids(`?job_id=${done}&status=delivered&limit=5`)).toEqual([of(done, first)])
    expect(await ids(`?job_id=${done}&batch_id=${failed}`)).toEqual([])
    expect(await deliveries(await register(testContext), `?endpoint_id=${first.id}`)).toEqual([])
  })

  test.each(['status=lost', 'type=job', 'endpoint_id=', `job_id=${'x'.repeat(101)}`, 'limit=0', 'sort=id'])(
    'refuses %s',
    async (query) => {
      const { token } = await register(testContext)
      const answer = await call('GET', `/api/v1/webhooks/deliveries?${query}`, { token })
      expect([answer.status, answer.faults[0]?.loc]).toEqual([422, ['query', query.split('=')[0]]])
    },
  )
})

describe('the log of attempts', () => {
  test('has the time, outcome, duration and the beginning of the response of each', async () => {
    const person = await register(testContext)
    const receiver = makeReceiver()
    await receiver.setMode({ status: 500, body: `${'ä'.repeat(511)}x€\0` })
    const endpoint = await makeEndpoint(person, receiver.url)
    const job = await endJob(person)
    await receiver.setMode('hang_up')
    await retryNow(endpoint)
    await receiver.setMode({ status: 200, body: 'a\0b' })
    await retryNow(endpoint)
    const { payload, attempt_log } = await showDelivery(person, `msg_${job}_job_done_${endpoint.id}`)
    expect(payload).toMatchObject({ type: 'job.done', data: { id: job } })
    expect(attempt_log).toMatchObject([
      { response_status: 500, error: null, response_body: `${'ä'.repeat(511)}x` },
      { response_status: null, error: expect.any(String), response_body: null },
      { response_status: 200, error: null, response_body: 'a\uFFFDb' },
    ])
    for (const { duration_ms, attempted_at } of attempt_log) {
      expect([duration_ms >= 0, duration_ms < 15_000]).toEqual([true, true])
      expect(Date.now() - Date.parse(attempted_at)).toBeLessThan(60_000)
    }
  })
})
