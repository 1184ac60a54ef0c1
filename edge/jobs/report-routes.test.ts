import { describe, expect, test } from 'vitest'
import { signRequest } from '../../shared/protocol/signature.ts'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { ledgerOf, register, showJob, submit } from '../../test/edge/worker/people.ts'
import {
  doneOutcome,
  FAILED,
  finished,
  progressed,
  REPORTS,
  report,
  started,
} from '../../test/edge/worker/reports.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
const CALLBACKS = '/internal/callbacks'
const MINUTE_MS = 60 * 1000

/** Creates a job and the account that owns it. */
async function freshJob() {
  const person = await register(testContext)
  return { person, id: await submit(testContext, person) }
}

describe('the sender of a report', () => {
  test.each([
    ['unsigned', {}],
    ['partially signed', { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }],
    [
      'signed with an invalid signature',
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
  ])('is refused when it is %s', async (_name, headers) => {
    const { person, id } = await freshJob()
    const before = await ledgerOf(testContext, person)
    const answer = await call('POST', CALLBACKS, { raw: finished(id, doneOutcome(id, 61)), headers })
    expect([answer.status, answer.code]).toEqual([401, 'invalid_signature'])
    expect(await ledgerOf(testContext, person)).toEqual(before)
    expect((await showJob(testContext, person, id)).status).toBe('queued')
  })

  test('is refused with another key, a time outside the tolerance, or a changed body', async () => {
    const { person, id } = await freshJob()
    const raw = finished(id, doneOutcome(id, 61))
    const answers = [
      await report(testContext, raw, { keys: [btoa('another key of thirty-two chars!')] }),
      await report(testContext, raw, { at: new Date(Date.now() - 6 * MINUTE_MS) }),
      await report(testContext, raw, { at: new Date(Date.now() + 6 * MINUTE_MS) }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401])
    const headers = { ...signRequest(deps.env.FLEET_KEYS, REPORTS, { id: 'id', body: raw }) }
    expect((await call('POST', CALLBACKS, { raw: `${raw} `, headers })).status).toBe(401)
    const renamed = { ...headers, 'webhook-id': 'other' }
    expect((await call('POST', CALLBACKS, { raw, headers: renamed })).status).toBe(401)
    expect((await showJob(testContext, person, id)).status).toBe('queued')
  })

  test('is accepted with the second key during key rotation', async () => {
    const { id } = await freshJob()
    const rotated = makeTestContext({
      FLEET_KEYS: `${btoa('a new key of thirty-two letters!')},${deps.env.FLEET_KEYS[0]}`,
    })
    const answer = await report(rotated, started(id), { keys: deps.env.FLEET_KEYS })
    expect([answer.status, answer.json]).toEqual([200, { continue: true }])
  })

  test.each([
    ['invalid JSON', '{', 422],
    ['an object that is not a report', '{}', 422],
    ['a report of an unknown type', JSON.stringify({ type: 'job.vanished', job_id: 'x' }), 422],
    ['a list', '[]', 422],
    ['null', 'null', 422],
  ])('is refused when it signs %s', async (_name, raw, status) => {
    expect((await report(testContext, raw)).status).toBe(status)
  })

  test('is refused if it was signed for another path, method or receiver', async () => {
    const { id } = await freshJob()
    const raw = started(id)
    const requests = [
      { ...REPORTS, path: '/internal/storage-access' },
      { ...REPORTS, method: 'PUT' },
      { ...REPORTS, to: 'fleet' as const },
    ]
    for (const request of requests) {
      const headers = { ...signRequest(deps.env.FLEET_KEYS, request, { id: 'id', body: raw }) }
      expect((await call('POST', CALLBACKS, { raw, headers })).status).toBe(401)
    }
  })

  test('is read only if its headers alone authenticate the fleet', async () => {
    const { id } = await freshJob()
    const raw = JSON.stringify({ ...JSON.parse(started(id)), padding: 'x'.repeat(64 * 1024) })
    const signed = { ...signRequest(deps.env.FLEET_KEYS, REPORTS, { id: 'id', body: raw }) }
    const forged = { ...signed, 'webhook-sender': signed['webhook-signature'] }
    const huge = 'x'.repeat(16 * 1024 * 1024 + 1)
    for (const body of [raw, huge]) {
      expect((await call('POST', CALLBACKS, { raw: body, headers: forged })).status).toBe(401)
    }
    expect((await call('POST', CALLBACKS, { raw: huge, headers: signed })).code).toBe('body_too_large')
    expect((await call('POST', CALLBACKS, { raw, headers: signed })).json).toEqual({ continue: true })
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

describe('a running job', () => {
  test('is processing from its first report and shows its progress', async () => {
    const { person, id } = await freshJob()
    expect((await report(testContext, started(id))).json).toEqual({ continue: true })
    expect(await showJob(testContext, person, id)).toMatchObject({ status: 'processing', progress: 0 })
    expect((await report(testContext, progressed(id, 40))).json).toEqual({ continue: true })
    expect(await showJob(testContext, person, id)).toMatchObject({ status: 'processing', progress: 40 })
  })

  test('stops a superseded attempt, which changes nothing', async () => {
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
