import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { JobSchema } from '../../dev/client-responses.ts'
import type { OpsDeps } from '../../dev/ops/open-deps.ts'
import { traceJob } from '../../dev/ops/trace-job.ts'
import { openDatabase } from '../../edge/platform/database/client.ts'
import { openAccount } from '../support/accounts.ts'
import { makeTestFolder } from '../support/folder.ts'
import { upload } from '../support/jobs.ts'
import { useSecondSystem } from '../support/second-system.ts'

const folder = makeTestFolder()
const system = useSecondSystem()

const CALLER = '00f067aa0ba902b7'
const PARTS = [
  ...['submit', 'dispatch', 'enqueue', 'wait', 'attempt'],
  ...['fetch', 'probe', 'step image', 'upload', 'report', 'accept report'],
]

test('a submitted job is one connected trace from the request to the report', async () => {
  const { client } = await openAccount(system().api_url)
  const image = join(folder, 'a-private-name.png')
  await sharp({ create: { width: 32, height: 32, channels: 3, background: 'red' } }).toFile(image)
  const file_url = await upload(client, image)
  const trace_id = crypto.randomUUID().replaceAll('-', '')
  const body = { service_slug: 'image', operation_key: 'resize', params: { file_url, width: 16 } }
  const traceparent = `00-${trace_id}-${CALLER}-01`
  const answer = await client.send('POST', '/api/v1/jobs', body, { traceparent })
  const { id } = JobSchema.parse(await answer.json())
  expect(await client.waitForJob(id, 60_000)).toMatchObject({ status: 'done' })

  const { collector, parts } = system()
  const ours = () => collector.spans.filter(({ traceId }) => traceId === trace_id)
  await expect
    .poll(() =>
      ours()
        .map(({ name }) => name)
        .sort(),
    )
    .toEqual([...PARTS].sort())
  const ids = new Map(ours().map(({ name, spanId }) => [name, spanId]))
  const parents = Object.fromEntries(ours().map(({ name, parentSpanId }) => [name, parentSpanId]))
  const submit = ids.get('submit')
  const attempt = ids.get('attempt')
  expect(parents).toEqual({
    ...{ submit: CALLER, dispatch: submit, enqueue: submit, wait: submit, attempt: submit },
    ...{ fetch: attempt, probe: attempt, 'step image': attempt, upload: attempt, report: attempt },
    'accept report': ids.get('report'),
  })
  for (const { startTimeUnixNano, endTimeUnixNano } of ours())
    expect(BigInt(endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(startTimeUnixNano))
  expect(collector.faults).toEqual([])
  const attributes = JSON.stringify(ours().map((span) => span.attributes))
  expect(attributes).toContain(id)
  expect(attributes).not.toMatch(/private-name|http|@|uploads/)

  const log = readFileSync(parts.fleet.definition.logFile, 'utf8').split('\n')
  expect(log.filter((line) => line.includes(id)).every((line) => line.includes(trace_id))).toBe(true)
  const db = openDatabase(`http://127.0.0.1:${system().ports.database}`, undefined)
  const deps: Partial<OpsDeps> = { db, databases: [db] }
  expect(await traceJob(deps as OpsDeps, id)).toContain(`trace_id        ${trace_id}`)
  db.$client.close()
})

test('a request without a valid trace begins one', async () => {
  const { client } = await openAccount(system().api_url)
  const image = join(folder, 'other.png')
  await sharp({ create: { width: 32, height: 32, channels: 3, background: 'red' } }).toFile(image)
  const body = {
    service_slug: 'image',
    operation_key: 'resize',
    params: { file_url: await upload(client, image), width: 16 },
  }
  const answer = await client.send('POST', '/api/v1/jobs', body, { traceparent: 'not a trace' })
  const { id } = JobSchema.parse(await answer.json())
  await client.waitForJob(id, 60_000)
  const { collector } = system()
  const isOf = (span: (typeof collector.spans)[number]) => JSON.stringify(span.attributes).includes(id)
  await expect
    .poll(() => collector.spans.some((span) => span.name === 'accept report' && isOf(span)))
    .toBe(true)
  await expect.poll(() => collector.spans.some((span) => span.name === 'attempt' && isOf(span))).toBe(true)
  const own = collector.spans.filter(isOf)
  expect(new Set(own.map(({ traceId }) => traceId)).size).toBe(1)
  expect(own.find(({ name }) => name === 'submit')).not.toHaveProperty('parentSpanId')
})
