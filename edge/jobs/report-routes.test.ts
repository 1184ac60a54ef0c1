import { describe, expect, test } from 'vitest'
import { sign, signSender } from '../../shared/protocol/signature.ts'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { ledgerOf, register, showJob, submit } from '../../test/edge/worker/people.ts'
import { doneOutcome, FAILED, finished, progressed, report, started } from '../../test/edge/worker/reports.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
const CALLBACKS = '/internal/callbacks'
const MINUTE_MS = 60 * 1000

/** A job just submitted, and its owner. */
async function freshJob() {
  const person = await register(testContext)
  return { person, id: await submit(testContext, person) }
}

describe('who may report', () => {
  test.each([
    ['unsigned', {}],
    ['half signed', { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }],
    [
      'signed with nonsense',
      { 'webhook-id': 'x', 'webhook-timestamp': 'now', 'webhook-signature': 'v1,AAAA' },
    ],
    [
      'signed with a thousand signatures',
      {
        'webhook-id': 'x',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': 'v1,AAAA '.repeat(1000),
      },
    ],
  ])('not who is %s', async (_name, headers) => {
    const { person, id } = await freshJob()
    const before = await ledgerOf(testContext, person)
    const answer = await call('POST', CALLBACKS, { raw: finished(id, doneOutcome(id, 61)), headers })
    expect([answer.status, answer.json.code]).toEqual([401, 'invalid_signature'])
    expect(await ledgerOf(testContext, person)).toEqual(before)
    expect((await showJob(testContext, person, id)).status).toBe('queued')
  })

  test('not who has another key, an old or a future time, or changed the body', async () => {
    const { person, id } = await freshJob()
    const raw = finished(id, doneOutcome(id, 61))
    const answers = [
      await report(testContext, raw, { keys: [btoa('another key of thirty-two chars!')] }),
      await report(testContext, raw, { at: new Date(Date.now() - 6 * MINUTE_MS) }),
      await report(testContext, raw, { at: new Date(Date.now() + 6 * MINUTE_MS) }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
    const headers = { ...sign(deps.env.FLEET_KEYS, 'id', raw, new Date()) }
    expect((await call('POST', CALLBACKS, { raw: `${raw} `, headers })).status).toBe(401)
    const renamed = { ...headers, 'webhook-id': 'other' }
    expect((await call('POST', CALLBACKS, { raw, headers: renamed })).status).toBe(401)
    expect((await showJob(testContext, person, id)).status).toBe('queued')
  })

  test('also who signs with the second key, while keys are changed', async () => {
    const { id } = await freshJob()
    const rotated = makeTestContext({
      FLEET_KEYS: `${btoa('a new key of thirty-two letters!')},${deps.env.FLEET_KEYS[0]}`,
    })
    const answer = await report(rotated, started(id), { keys: deps.env.FLEET_KEYS })
    expect([answer.status, answer.json]).toEqual([200, { continue: true }])
  })

  test.each([
    ['no JSON', '{', 401],
    ['no report', '{}', 422],
    ['a report of another kind', JSON.stringify({ type: 'job.vanished', job_id: 'x' }), 422],
    ['a list', '[]', 422],
    ['null', 'null', 422],
  ])('and what is signed but %s is refused', async (_name, raw, status) => {
    expect((await report(testContext, raw)).status).toBe(status)
  })

  test('a long report is read only of who proves by the headers alone to be the fleet', async () => {
    const { id } = await freshJob()
    const raw = JSON.stringify({ ...JSON.parse(started(id)), padding: 'x'.repeat(64 * 1024) })
    const [name, now] = [crypto.randomUUID(), new Date()]
    const keys = deps.env.FLEET_KEYS
    const signed = { ...sign(keys, name, raw, now) }
    const unproven = await call('POST', CALLBACKS, { raw, headers: signed })
    expect([unproven.status, unproven.json.code]).toEqual([413, 'body_too_large'])
    const forged = { ...signed, ...signSender([btoa('another key of thirty-two chars!')], name, now) }
    expect((await call('POST', CALLBACKS, { raw, headers: forged })).status).toBe(413)
    const proven = { ...signed, ...signSender(keys, name, now) }
    expect((await call('POST', CALLBACKS, { raw, headers: proven })).json).toEqual({ continue: true })
    const longest = { raw: 'x'.repeat(16 * 1024 * 1024 + 1), headers: proven }
    expect((await call('POST', CALLBACKS, longest)).status).toBe(413)
  })

  test('a report about an unknown job is 404', async () => {
    const id = crypto.randomUUID()
    for (const raw of [
      started(id),
      progressed(id, 5),
      finished(id, doneOutcome(id, 1)),
      finished(id, FAILED),
    ]) {
      expect((await report(testContext, raw)).status).toBe(404)
    }
  })
})

describe('a job on its way', () => {
  test('is processing from its first sign of work, and shows how far it is', async () => {
    const { person, id } = await freshJob()
    expect((await report(testContext, started(id))).json).toEqual({ continue: true })
    expect(await showJob(testContext, person, id)).toMatchObject({ status: 'processing', progress: 0 })
    expect((await report(testContext, progressed(id, 40))).json).toEqual({ continue: true })
    expect(await showJob(testContext, person, id)).toMatchObject({ status: 'processing', progress: 40 })
  })

  test('an attempt that was overtaken is told to stop, and changes nothing', async () => {
    const { person, id } = await freshJob()
    await report(testContext, started(id, 1002))
    await report(testContext, progressed(id, 30, 1002))
    expect((await report(testContext, progressed(id, 90, 1001))).json).toEqual({ continue: false })
    expect((await report(testContext, started(id, 1001))).json).toEqual({ continue: false })
    expect(await showJob(testContext, person, id)).toMatchObject({ progress: 30 })
    const late = await report(testContext, finished(id, doneOutcome(id, 61, 1001), 1001))
    expect(late.status).toBe(409)
    expect(await showJob(testContext, person, id)).toMatchObject({ status: 'processing', result: null })
  })
})
