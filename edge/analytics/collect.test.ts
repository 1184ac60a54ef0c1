import { describe, expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { freshAddress } from '../../test/edge/worker/limited-context.ts'
import { makeRecordingContext, query } from '../../test/edge/worker/records.ts'
import { handleRecords } from '../statistics/handle-records.ts'
import { addUpWebEvents } from './aggregate.ts'

const PATH = '/api/v1/analytics/collect'
const DAY_MS = 24 * 60 * 60 * 1000

/** Creates a test context with a queue that records only web events. */
async function makeWebContext(settings = {}) {
  const testContext = await makeRecordingContext(settings)
  const { sent } = testContext
  const collected = () => sent.filter(({ kind }) => kind === 'web')
  /** Posts a body and waits for all work that follows the response. */
  async function collect(raw: string, headers: Record<string, string> = {}) {
    const answer = await testContext.call('POST', PATH, {
      raw,
      headers: { 'cf-connecting-ip': freshAddress(), ...headers },
    })
    await testContext.settled()
    return answer
  }
  return {
    ...testContext,
    get deps() {
      return testContext.deps
    },
    collect,
    collected,
    take: () => handleRecords(testContext.deps, sent.splice(0)),
  }
}

const body = (name: string, more: object = {}) => JSON.stringify({ events: [{ name, ...more }] })
const freshName = () => `e${crypto.randomUUID()}`

describe('events', () => {
  test('are accepted with 202 and stored without personal data', async () => {
    const testContext = await makeWebContext()
    const visitor_id = crypto.randomUUID()
    const events = [
      {
        name: 'page_view',
        ts: new Date(testContext.clock.now - 5000).toISOString(),
        path: '/studio?token=secret#part',
        referrer: 'https://user:pass@Search.example/?q=words',
        props: { width: 800, plan: null },
      },
      { name: 'click', ts: testContext.clock.now - 3 * DAY_MS },
    ]
    const answer = await testContext.collect(JSON.stringify({ visitor_id, events }))
    expect([answer.status, answer.json]).toEqual([202, { ok: true }])
    await testContext.take()
    const rows = await query(
      testContext,
      'SELECT * FROM web_events WHERE visitor_id = ? ORDER BY number',
      visitor_id,
    )
    expect(rows).toMatchObject([
      {
        name: 'page_view',
        path: '/studio',
        referrer: 'search.example',
        props: '{"width":800,"plan":null}',
        occurred_at: testContext.clock.now - 5000,
        created_at: testContext.clock.now,
      },
      { name: 'click', path: null, referrer: null, props: null, occurred_at: testContext.clock.now },
    ])
    expect(JSON.stringify(rows)).not.toContain('secret')
  })

  test('sent as text by a page that unloads are accepted too', async () => {
    const testContext = await makeWebContext()
    expect((await testContext.collect(body('leave'), { 'content-type': 'text/plain' })).status).toBe(202)
    expect(testContext.collected()).toHaveLength(1)
  })

  test('are stored once when their message is redelivered', async () => {
    const testContext = await makeWebContext()
    const name = freshName()
    await testContext.collect(body(name))
    const again = structuredClone(testContext.sent)
    await testContext.take()
    await handleRecords(testContext.deps, again)
    expect(await query(testContext, 'SELECT number FROM web_events WHERE name = ?', name)).toHaveLength(1)
  })
})

describe('202 is also the response to', () => {
  const many = JSON.stringify({ events: Array.from({ length: 51 }, () => ({ name: 'x' })) })
  test.each([
    ['nothing', ''],
    ['a body that is not JSON', '{"events":'],
    ['another shape', '[]'],
    ['no events', '{"events":[]}'],
    ['51 events', many],
    ['one invalid event', JSON.stringify({ events: [{ name: 'right' }, { name: '<script>' }] })],
    ['a lone surrogate', '{"events":[{"name":"x","path":"\\ud800"}]}'],
    ['an invalid time', body('x', { ts: 'yesterday' })],
    ['a body over 32 KiB', body('x', { props: { text: 'x'.repeat(33 * 1024) } })],
    ['a body far over every size limit', body('x', { props: { text: 'x'.repeat(2 * 1024 * 1024) } })],
    ['deeply nested JSON', `{"events":[{"name":"x","props":{"a":${'['.repeat(2000)}${']'.repeat(2000)}}}]}`],
  ])('%s, which is discarded', async (_name, raw) => {
    const testContext = await makeWebContext()
    const answer = await testContext.collect(raw)
    expect([answer.status, answer.json]).toEqual([202, { ok: true }])
    expect(testContext.collected()).toEqual([])
  })

  test('more than 60 requests a minute from one address, which are discarded', async () => {
    const testContext = await makeWebContext()
    const headers = { 'cf-connecting-ip': freshAddress() }
    const answers = await Promise.all(
      Array.from({ length: 70 }, () => testContext.call('POST', PATH, { raw: body('often'), headers })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]))
    const policies = answers.map(({ headers }) => headers.get('ratelimit-policy'))
    expect(new Set(policies)).toEqual(new Set(['"collects-minute";q=60;w=60']))
    await testContext.settled()
    expect(testContext.collected()).toHaveLength(60)
  })

  test('events sent while collection is off or the queue is down', async () => {
    const off = await makeWebContext({ analytics_enabled: false })
    expect((await off.collect(body('x'))).status).toBe(202)
    expect(off.collected()).toEqual([])
    const send = () => Promise.reject(new Error('the queue is down'))
    const down = makeTestContext({ RECORDS: { send } })
    expect((await down.call('POST', PATH, { raw: body('x') })).status).toBe(202)
    await down.settled()
  })

  test('a body of exactly 32 KiB, which is stored', async () => {
    const testContext = await makeWebContext()
    const empty = body('x', { props: { text: '' } })
    const raw = body('x', { props: { text: 'x'.repeat(32 * 1024 - empty.length) } })
    await testContext.collect(raw)
    expect([raw.length, testContext.collected().length]).toEqual([32 * 1024, 1])
    await testContext.collect(`${raw} `)
    expect(testContext.collected()).toHaveLength(1)
  })
})

describe('the statistics of a day', () => {
  test('are aggregated once, after it ends', async () => {
    const testContext = await makeWebContext()
    const name = freshName()
    const day = Math.floor(testContext.clock.now / DAY_MS)
    for (const [visitor_id, path] of [
      ['one', '/a'],
      ['one', '/a?again'],
      ['two', '/a'],
      ['two', undefined],
    ]) {
      await testContext.collect(JSON.stringify({ visitor_id, events: [{ name, path }] }))
    }
    await testContext.take()
    const sums = () => query(testContext, 'SELECT * FROM web_days WHERE name = ? ORDER BY path', name)
    await addUpWebEvents(testContext.deps)
    expect(await sums()).toEqual([])
    testContext.clock.now = (day + 1) * DAY_MS + 30 * 60_000
    await addUpWebEvents(testContext.deps)
    expect(await sums()).toEqual([])
    testContext.clock.now += 31 * 60_000
    await Promise.all([addUpWebEvents(testContext.deps), addUpWebEvents(testContext.deps)])
    expect(await sums()).toEqual([
      { day, name, path: '', events: 1, visitors: 1 },
      { day, name, path: '/a', events: 3, visitors: 2 },
    ])
  })
})
