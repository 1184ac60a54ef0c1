import { Queue } from 'bullmq'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseEnvironment } from '../environment.ts'
import { connectRedis, FORMER_PREFIX, REPORTS_QUEUE } from '../queue/queues.ts'
import { createStorage } from '../storage/storage.ts'
import { startTestContext, type TestContext } from '../testing/context.ts'
import { startReportSender } from './report.ts'

let context: TestContext
beforeAll(async () => {
  context = await startTestContext()
})
afterAll(() => context.close())

test('sends reports that an earlier version leaves after this process has started', async () => {
  const environment = parseEnvironment(context.variables)
  const redis = connectRedis({ REDIS_URL: context.redis.url })
  const sender = startReportSender(redis, environment, createStorage(environment), 50)
  // The first check of the sender was queued on the same connection before this, and finds no keys either.
  expect(await redis.exists(`${FORMER_PREFIX}:${REPORTS_QUEUE}:meta`)).toBe(0)
  const former = new Queue(REPORTS_QUEUE, { connection: redis, prefix: FORMER_PREFIX })
  try {
    const outcome = {
      status: 'failed',
      processing_seconds: null,
      error: 'It failed.',
      error_code: 'processing_failed',
    }
    const at = new Date().toISOString()
    const report = { type: 'job.finished', job_id: 'early', fence: 1001, at, started_at: at, outcome }
    await former.add(report.type, report, { jobId: 'early.1001' })
    expect(await context.edge.waitForFinished('early')).toMatchObject({ fence: 1001 })
  } finally {
    await sender.close()
    await former.close()
    redis.disconnect()
  }
})
