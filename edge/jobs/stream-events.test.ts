import { describe, expect, test, vi } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { makeKey, type Person, register, submit } from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, progressed, report, started } from '../../test/edge/worker/reports.ts'
import { registerAdministrator } from '../../test/edge/worker/shop.ts'

const testContext = makeTestContext()
const { call, open } = testContext

interface SentEvent {
  event: string
  id: string
  data: { status?: string; progress?: number }
}

interface Stream {
  response: Response
  /** Reads the next event, or null at the end. */
  next(): Promise<SentEvent | null>
  rest(): Promise<SentEvent[]>
  cancel(): Promise<void>
}

async function follow(id: string, person: Person, lastEventId?: string): Promise<Stream> {
  const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const response = await open('GET', `/api/v1/jobs/${id}/events`, { token: person.token, headers })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  async function next(): Promise<SentEvent | null> {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end >= 0) {
        const block = text.slice(0, end)
        text = text.slice(end + 2)
        const event = readEvent(block)
        if (event !== null) return event
        continue
      }
      const read = await reader?.read()
      if (read?.value === undefined) return null
      text += read.value
    }
  }
  async function rest(): Promise<SentEvent[]> {
    const events: SentEvent[] = []
    for (let event = await next(); event !== null; event = await next()) events.push(event)
    return events
  }
  return { response, next, rest, cancel: async () => reader?.cancel() }
}

function readEvent(block: string): SentEvent | null {
  const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/, 2)))
  if (fields.event === undefined) return null
  return { event: fields.event, id: fields.id, data: JSON.parse(fields.data) }
}

const summaryOf = ({ event, id, data }: SentEvent) => [event, id, data.status ?? data.progress]

describe('the event stream of a job', () => {
  test('sends every state and progress, and ends with the whole job', async () => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    const stream = await follow(id, person)
    expect(stream.response.status).toBe(200)
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(stream.response.headers.get('cache-control')).toContain('no-store')
    expect(await stream.next()).toMatchObject({
      event: 'status',
      id: '1.0',
      data: { job_id: id, status: 'queued', at: expect.any(String) },
    })
    await report(testContext, started(id))
    expect(await stream.next()).toMatchObject({ event: 'status', id: '2.0', data: { status: 'processing' } })
    await report(testContext, progressed(id, 40))
    expect(await stream.next()).toEqual({ event: 'progress', id: '2.40', data: { job_id: id, progress: 40 } })
    await report(testContext, finished(id, doneOutcome(id, 1)))
    const end = await stream.next()
    const job = (await call('GET', `/api/v1/jobs/${id}`, { token: person.token })).json
    expect(end).toMatchObject({ event: 'status', id: '3.0', data: { status: 'done', job } })
    expect(await stream.next()).toBeNull()
  })

  test('of a finished job sends all events at once', async () => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    await call('POST', `/api/v1/jobs/${id}/cancel`, { token: person.token })
    const events = await (await follow(id, person)).rest()
    expect(events.map(summaryOf)).toEqual([
      ['status', '1.0', 'queued'],
      ['status', '2.0', 'canceled'],
    ])
  })

  test('resumes after Last-Event-ID without losing a state', async () => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    const first = await follow(id, person)
    const last = await first.next()
    await first.cancel()
    await report(testContext, started(id))
    await report(testContext, progressed(id, 70))
    await report(testContext, finished(id, doneOutcome(id, 1)))
    const events = await (await follow(id, person, last?.id)).rest()
    expect(events.map(summaryOf)).toEqual([
      ['status', '2.0', 'processing'],
      ['status', '3.0', 'done'],
    ])
    expect(await (await follow(id, person, '2.70')).rest()).toMatchObject([{ id: '3.0' }])
    const known = await open('GET', `/api/v1/jobs/${id}/events`, {
      token: person.token,
      headers: { 'last-event-id': '3.0' },
    })
    expect([known.status, await known.text()]).toEqual([204, ''])
  })

  test('serves fifty listeners at the cost of one', async () => {
    const person = await register(testContext)
    const id = await submit(testContext, person)
    const streams = await Promise.all(Array.from({ length: 50 }, () => follow(id, person)))
    for (const stream of streams) expect(await stream.next()).toMatchObject({ id: '1.0' })
    const select = vi.spyOn(testContext.deps.db, 'select')
    const all = Promise.all(streams.map((stream) => stream.rest()))
    await report(testContext, started(id))
    await report(testContext, finished(id, doneOutcome(id, 1)))
    for (const events of await all) {
      expect(events.filter(({ event }) => event === 'status').map(({ data }) => data.status)).toEqual([
        'processing',
        'done',
      ])
    }
    // Allows for the reports and a few polls. Separate listeners would each have polled several times.
    expect(select.mock.calls.length).toBeLessThan(50)
    select.mockRestore()
  })

  test('of finished jobs leaves nothing for the polls of other streams', async () => {
    const person = await register(testContext)
    const open_id = await submit(testContext, person)
    const over = await submit(testContext, person)
    await call('POST', `/api/v1/jobs/${over}/cancel`, { token: person.token })
    await (await follow(over, person)).rest()
    await (await follow(over, person, '2.0')).rest()
    const execute = vi.spyOn(testContext.deps.db.$client, 'execute')
    const stream = await follow(open_id, person)
    await stream.next()
    const progress = stream.next()
    await report(testContext, started(open_id))
    await progress
    const queries = execute.mock.calls.map((args) => JSON.stringify(args))
    execute.mockRestore()
    await stream.cancel()
    expect(queries.filter((sql) => sql.includes(open_id)).length).toBeGreaterThan(2)
    expect(queries.filter((sql) => sql.includes(over))).toEqual([])
  })

  test('ends when its API key is paused', async () => {
    const person = await register(testContext)
    const { id: key_id, key } = await makeKey(testContext, person)
    const id = await submit(testContext, person)
    const response = await open('GET', `/api/v1/jobs/${id}/events`, { key })
    const end = response.text()
    await call('POST', `/api/v1/tokens/${key_id}/toggle`, { token: person.token })
    expect(await end).toContain('"status":"queued"')
  })

  test("of another account's job ends when the reader is no longer an administrator", async () => {
    const [owner, reader, admin] = [
      await register(testContext),
      await registerAdministrator(testContext),
      await registerAdministrator(testContext),
    ]
    const stream = await follow(await submit(testContext, owner), reader)
    expect(await stream.next()).toMatchObject({ data: { status: 'queued' } })
    const body = { is_admin: false }
    await call('PATCH', `/api/v1/admin/accounts/${reader.id}`, { token: admin.token, body })
    const late = scheduler.wait(5000).then(() => 'still open')
    expect(await Promise.race([stream.next(), late])).toBeNull()
  })

  test('is refused to other accounts and for unknown jobs', async () => {
    const id = await submit(testContext, await register(testContext))
    const { token } = await register(testContext)
    for (const job of [id, crypto.randomUUID()]) {
      const answer = await call('GET', `/api/v1/jobs/${job}/events`, { token })
      expect([answer.status, answer.json.code]).toEqual([404, 'job_not_found'])
    }
  })
})
