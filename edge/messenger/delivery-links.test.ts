import { describe, expect, test } from 'vitest'
import { makeBotContext, makeRoundVideo } from '../../test/edge/worker/bots.ts'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { freshAddress } from '../../test/edge/worker/limited-context.ts'
import { makeKey, register, submit } from '../../test/edge/worker/people.ts'
import { query } from '../../test/edge/worker/records.ts'
import { FAILED, finished, report } from '../../test/edge/worker/reports.ts'
import { DELIVER, deliver } from './testing/delivery-links.ts'

const DAY_MS = 86_400_000

describe('a delivery link', () => {
  test('opens the bot for a day and can be created by a session or a key', async () => {
    const testContext = await makeBotContext()
    const person = await register(testContext)
    const { key } = await makeKey(testContext, person)
    const job_id = await makeRoundVideo(testContext, person)
    for (const credential of [{ token: person.token }, { key }]) {
      const { status, json } = await testContext.call('POST', DELIVER, { ...credential, body: { job_id } })
      expect(status).toBe(200)
      expect(json).toEqual({
        link: expect.stringMatching(
          new RegExp(`^https://t\\.me/${testContext.bot.username}\\?start=[\\w-]{32}$`),
        ),
        bot_username: testContext.bot.username,
        expires_at: expect.any(String),
      })
      expect(Date.parse(json.expires_at) - testContext.clock.now).toBeLessThanOrEqual(DAY_MS)
    }
    const headers = { 'cf-connecting-ip': freshAddress() }
    expect((await testContext.call('POST', DELIVER, { body: { job_id }, headers })).status).toBe(401)
  })

  test('is created once per Idempotency-Key', async () => {
    const testContext = await makeBotContext()
    const person = await register(testContext)
    const job_id = await makeRoundVideo(testContext, person)
    const headers = { 'idempotency-key': 'once' }
    const [first, second] = [
      await deliver(testContext, person, { job_id }, headers),
      await deliver(testContext, person, { job_id }, headers),
    ]
    expect(second.json).toEqual(first.json)
    const links = await query(testContext, 'SELECT token_hash FROM messenger_links WHERE job_id = ?', job_id)
    expect(links).toHaveLength(1)
    expect(JSON.stringify(links)).not.toContain(new URL(first.json.link).searchParams.get('start'))
  })

  test("is 404 for an unknown or another account's job, and for an unknown bot", async () => {
    const testContext = await makeBotContext()
    const [person, stranger] = [await register(testContext), await register(testContext)]
    const job_id = await makeRoundVideo(testContext, person)
    expect((await deliver(testContext, stranger, { job_id })).status).toBe(404)
    expect((await deliver(testContext, person, { job_id: 'nothing' })).status).toBe(404)
    expect((await deliver(testContext, person, { job_id, bot_id: 1 })).status).toBe(404)
    expect((await deliver(testContext, person, { job_id, bot_id: testContext.bot.id })).status).toBe(200)
    expect((await deliver(testContext, person, { job_id, bot_id: 'x' })).status).toBe(422)
    expect((await deliver(testContext, person, {})).status).toBe(422)
  })

  test.each([
    [{ operation_key: 'compress' }],
    [{ body: { width: 320 } }],
    [{ body: { width: 1000, height: 1000 } }],
    [{ body: { duration_seconds: 61 } }],
    [{ body: { width: null } }],
    [{ content_type: 'image/gif' }],
  ])('is 409 for a result the messenger does not accept: %j', async (made) => {
    const testContext = await makeBotContext()
    const person = await register(testContext)
    const answer = await deliver(testContext, person, {
      job_id: await makeRoundVideo(testContext, person, made),
    })
    expect([answer.status, answer.json.code]).toEqual([409, 'not_deliverable'])
  })

  test('is 409 for a running job, a failed one, or an expired result', async () => {
    const testContext = await makeBotContext()
    const person = await register(testContext)
    const job_id = await submit(testContext, person)
    await query(testContext, "UPDATE jobs SET operation_key = 'circle' WHERE id = ?", job_id)
    const running = await deliver(testContext, person, { job_id })
    await report(testContext, finished(job_id, FAILED))
    const failed = await deliver(testContext, person, { job_id })
    const old = await makeRoundVideo(testContext, person)
    await query(testContext, 'UPDATE jobs SET result = NULL WHERE id = ?', old)
    const gone = await deliver(testContext, person, { job_id: old })
    expect([running, failed, gone].map(({ status, json }) => [status, json.code])).toEqual([
      [409, 'job_not_done'],
      [409, 'job_not_done'],
      [409, 'result_expired'],
    ])
  })

  test('is 503 without a bot', async () => {
    const testContext = makeTestContext()
    const person = await register(testContext)
    const answer = await testContext.call('POST', DELIVER, { token: person.token, body: { job_id: 'x' } })
    expect(answer.status).toBe(503)
  })
})
