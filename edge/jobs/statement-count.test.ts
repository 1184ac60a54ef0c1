import { createMessageBatch } from 'cloudflare:test'
import { env as platform } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { makeTestContext, type TestContext } from '../../test/edge/worker/context.ts'
import { countStatements, type StatementCount } from '../../test/edge/worker/count-statements.ts'
import { PNG } from '../../test/edge/worker/files.ts'
import { giveCredits, makeKey, type Person, register, upload } from '../../test/edge/worker/people.ts'
import { doneOutcome, finished, progressed, report, started } from '../../test/edge/worker/reports.ts'
import { consumeBatch } from '../queue.ts'

/** A Worker whose queue messages the test delivers itself, and one of its accounts with a key. */
async function openContext() {
  const sent: { queue: string; body: unknown }[] = []
  const collect = (queue: string) => ({
    send: async (body: unknown) => void sent.push({ queue, body }),
    sendBatch: async (messages: Iterable<{ body: unknown }>) => {
      for (const { body } of messages) sent.push({ queue, body })
    },
  })
  const { DATABASE_URL } = platform as unknown as Record<string, string>
  const context = makeTestContext({
    DISPATCH: collect('media-dispatch'),
    RECORDS: collect('media-records'),
    // A second client counts separately, and stands for a second database.
    LOGS_DATABASE_URL: DATABASE_URL,
  })
  const person = await register(context)
  await giveCredits(context, person, 1000)
  const { key } = await makeKey(context, person)
  await context.call('GET', '/api/v1/jobs', { key })
  await context.call('GET', '/api/v1/studio/tools')
  await deliver(context, sent)
  return { context, person, key, sent }
}

/** Completes deferred work and delivers the messages in both queues. */
async function deliver(context: TestContext, sent: { queue: string; body: unknown }[]): Promise<void> {
  await context.settled()
  for (const [queue, messages] of Map.groupBy(sent.splice(0), ({ queue }) => queue)) {
    const timestamp = new Date()
    const batch = messages.map(({ body }, index) => ({ id: `${index}`, timestamp, attempts: 1, body }))
    await consumeBatch(context.deps, createMessageBatch(queue, batch))
  }
}

async function submitImage(context: TestContext, key: string, file_url: string): Promise<string> {
  const body = { service_slug: 'image', operation_key: 'resize', params: { file_url, width: 100 } }
  const answer = await context.call('POST', '/api/v1/jobs/api', { key, body })
  expect(answer.status, answer.text).toBe(201)
  return answer.json.id
}

/** Reads that an isolate repeats every few seconds for all requests together. */
const CACHED = /from "(settings|operations)"/

const totals = ({ statements, write_transactions }: StatementCount) => ({
  statements: statements.filter((text) => !CACHED.test(text)).length,
  write_transactions: write_transactions.length,
})

const ownFinish = (id: string, { id: account_id }: Person, seconds: number) =>
  JSON.stringify({ ...JSON.parse(finished(id, doneOutcome(id, seconds))), account_id })

test('an image job takes at most 25 statements and 3 write transactions', async () => {
  const { context, person, key, sent } = await openContext()
  const { url } = await upload(context, person, PNG)
  await deliver(context, sent)
  const count = countStatements(context)
  const id = await submitImage(context, key, url)
  await deliver(context, sent)
  await report(context, ownFinish(id, person, 0.1))
  await deliver(context, sent)
  const { statements, write_transactions } = totals(count)
  expect(statements, count.statements.join('\n')).toBeLessThanOrEqual(25)
  expect(write_transactions).toBeLessThanOrEqual(3)
})

test('an encode of two hours takes at most 6 write transactions, however often it reports', async () => {
  const { context, person, key, sent } = await openContext()
  const count = countStatements(context)
  const id = await submitImage(context, key, 'https://media.example.org/photo.jpg')
  await deliver(context, sent)
  await report(context, started(id))
  for (let percent = 1; percent < 100; percent++) await report(context, progressed(id, percent))
  const shown = await context.call('GET', `/api/v1/jobs/${id}`, { key })
  expect(shown.json).toMatchObject({ status: 'processing', progress: 99 })
  await report(context, ownFinish(id, person, 7200))
  await deliver(context, sent)
  expect(count.write_transactions.length).toBeLessThanOrEqual(6)
})

test('reading a job, waiting for it and following its events write nothing', async () => {
  const { context, key, sent } = await openContext()
  const id = await submitImage(context, key, 'https://media.example.org/photo.jpg')
  await report(context, started(id))
  await deliver(context, sent)
  const count = countStatements(context)
  await context.call('GET', `/api/v1/jobs/${id}`, { key })
  await context.call('GET', `/api/v1/jobs/${id}?wait=1`, { key })
  const stream = await context.open('GET', `/api/v1/jobs/${id}/events`, { key })
  const reader = stream.body?.getReader()
  for (let chunk = 0; chunk < 2; chunk++) await reader?.read()
  await scheduler.wait(1500)
  await reader?.cancel()
  await deliver(context, sent)
  expect(count.write_transactions).toEqual([])
})
