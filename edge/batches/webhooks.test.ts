import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { eventually, found, makeTestContext } from '../../test/edge/worker/context.ts'
import { ledgerOf, type Person, register } from '../../test/edge/worker/people.ts'
import { makeReceiver, type Receiver } from '../../test/edge/worker/receivers.ts'
import { doneOutcome, FAILED, finished, report } from '../../test/edge/worker/reports.ts'
import { COMPRESS, OVER_LONG, publicFiles, showBatch } from '../../test/edge/worker/studio.ts'

/** Allows private addresses, because the receivers run locally. */
const testContext = makeTestContext({ ALLOW_PRIVATE_SOURCES: 'true' })
const { call } = testContext
const BATCH = '/api/v1/studio/batch'

async function submit({ token }: Person, count: number, webhook_url?: string) {
  const body = { ...COMPRESS, file_urls: publicFiles(count), webhook_url }
  const answer = await call('POST', BATCH, { token, body })
  expect(answer.status, answer.text).toBe(201)
  return {
    id: answer.json.id,
    jobs: answer.json.jobs.map(({ id }) => id),
    webhook_url: answer.json.webhook_url,
  }
}

const finish = (id: string | undefined, outcome = doneOutcome(found(id), 1)) =>
  report(testContext, finished(found(id), outcome))

const deliveriesOf = async ({ token }: Person) =>
  (await call('GET', '/api/v1/webhooks/deliveries?limit=200', { token })).json

/** Lists the types and subjects of an account's deliveries, sorted. */
async function eventsOf(person: Person): Promise<string[]> {
  const all = await deliveriesOf(person)
  return all.map(({ type, job_id, batch_id }) => `${type} ${job_id ?? batch_id}`).toSorted()
}

const received = (receiver: Receiver, count: number) =>
  eventually(`${count} webhooks`, async () => {
    const all = await receiver.received()
    return all.length >= count && all
  })

describe('the webhook_url of a batch', () => {
  test('receives each file, and once the signed batch with its last file', async () => {
    const person = await register(testContext)
    const receiver = makeReceiver()
    const batch = await submit(person, 2, receiver.url)
    expect(batch.webhook_url).toBe(receiver.url)
    const [first, last] = batch.jobs
    await finish(first)
    expect(await eventsOf(person)).toEqual([`job.done ${first}`])
    await finish(last, FAILED)
    expect(await eventsOf(person)).toEqual(
      [`batch.done ${batch.id}`, `job.done ${first}`, `job.failed ${last}`].toSorted(),
    )
    const sent = (await received(receiver, 3)).find(({ body }) => body.includes('"batch.done"'))
    const secret = (await call('GET', '/api/v1/webhooks/secret', { token: person.token })).json.secret
    const event = new Webhook(secret).verify(found(sent).body, found(sent).headers)
    const shown = await showBatch(testContext, person, batch.id)
    expect(event).toEqual({ type: 'batch.done', timestamp: shown.finished_at, data: shown })
    expect(shown).toMatchObject({ done: 1, failed: 1, webhook_url: receiver.url })
  })

  test('receives the batch again on a replay', async () => {
    const person = await register(testContext)
    const receiver = makeReceiver()
    const batch = await submit(person, 1, receiver.url)
    await finish(batch.jobs[0])
    await received(receiver, 2)
    const path = `/api/v1/webhooks/deliveries/msg_${batch.id}_batch_done/replay`
    const answer = await call('POST', path, { token: person.token })
    expect(answer.json).toMatchObject({ type: 'batch.done', batch_id: batch.id, job_id: null })
    const filtered = await call('GET', `/api/v1/webhooks/deliveries?batch_id=${batch.id}`, {
      token: person.token,
    })
    expect(JSON.parse(filtered.text).map(({ id }: { id: string }) => id)).toEqual([
      `msg_${batch.id}_batch_done`,
    ])
    const ids = (await received(receiver, 3)).map(({ headers }) => headers['webhook-id'])
    expect(ids.filter((id) => id === `msg_${batch.id}_batch_done`)).toHaveLength(2)
    const stranger = await register(testContext)
    expect((await call('POST', path, { token: stranger.token })).status).toBe(404)
  })

  test('receives batch.failed if a file stops the batch', async () => {
    const person = await register(testContext)
    const { id, jobs } = await submit(person, 3, makeReceiver().url)
    await finish(jobs[1])
    await finish(jobs[0], OVER_LONG)
    expect(await eventsOf(person)).toEqual(
      [
        `batch.failed ${id}`,
        `job.canceled ${jobs[2]}`,
        `job.done ${jobs[1]}`,
        `job.failed ${jobs[0]}`,
      ].toSorted(),
    )
  })

  test('receives batch.canceled if the batch is canceled', async () => {
    const person = await register(testContext)
    const { id, jobs } = await submit(person, 2, makeReceiver().url)
    await finish(jobs[0])
    const path = `/api/v1/studio/batches/${id}/cancel`
    const answers = await Promise.all([1, 2, 3].map(() => call('POST', path, { token: person.token })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await eventsOf(person)).toEqual(
      [`batch.canceled ${id}`, `job.canceled ${jobs[1]}`, `job.done ${jobs[0]}`].toSorted(),
    )
  })

  test('receives the end that follows from the files if the last one is canceled alone', async () => {
    const person = await register(testContext)
    const { id, jobs } = await submit(person, 2, makeReceiver().url)
    await finish(jobs[0], FAILED)
    await call('POST', `/api/v1/jobs/${jobs[1]}/cancel`, { token: person.token })
    expect((await showBatch(testContext, person, id)).status).toBe('failed')
    expect(await eventsOf(person)).toContain(`batch.failed ${id}`)
  })

  test('receives one event of a batch whose files all end at the same time', async () => {
    const person = await register(testContext)
    const { id, jobs } = await submit(person, 8, makeReceiver().url)
    await Promise.all(jobs.map((job, index) => finish(job, index % 2 === 0 ? undefined : FAILED)))
    const events = await eventsOf(person)
    expect(events).toHaveLength(9)
    expect(events.filter((event) => event.startsWith('batch.'))).toEqual([`batch.done ${id}`])
    expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true })
  })

  test('is kept by a repeat', async () => {
    const person = await register(testContext)
    const { id, webhook_url } = await submit(person, 1, makeReceiver().url)
    const repeated = await call('POST', `/api/v1/studio/batches/${id}/repeat`, { token: person.token })
    expect(repeated.json).toMatchObject({ webhook_url, jobs: [{ webhook_url }] })
  })

  test('is refused if it is unsafe or the caller is anonymous, and nothing is charged', async () => {
    const safe = makeTestContext()
    const person = await register(safe)
    const body = { ...COMPRESS, file_urls: publicFiles(2), webhook_url: 'http://10.0.0.1/hook' }
    const unsafe = await safe.call('POST', BATCH, { token: person.token, body })
    expect([unsafe.status, unsafe.faults[0]?.type]).toEqual([422, 'unsafe_webhook_url'])
    const anonymous = await call('POST', BATCH, { body: { ...body, webhook_url: makeReceiver().url } })
    expect([anonymous.status, anonymous.faults[0]?.type]).toEqual([422, 'webhook_needs_account'])
    expect((await ledgerOf(safe, person)).balance).toBe(20)
  })
})

test('an endpoint of the account receives only the batch events that it is subscribed to', async () => {
  const person = await register(testContext)
  const receiver = makeReceiver()
  const body = { url: receiver.url, events: ['batch.done'] }
  const endpoint = await call('POST', '/api/v1/webhooks/endpoints', { token: person.token, body })
  expect(endpoint.status, endpoint.text).toBe(201)
  const done = await submit(person, 2)
  await Promise.all(done.jobs.map((job) => finish(job)))
  const failed = await submit(person, 1)
  await finish(failed.jobs[0], FAILED)
  expect(await eventsOf(person)).toEqual([`batch.done ${done.id}`])
})
