import { expect, onTestFinished, test } from 'vitest'
import { parseEnvironment } from '../environment.ts'
import { connectRedis } from '../queue/queues.ts'
import { createStorage } from '../storage/storage.ts'
import { startTestContext } from '../testing/context.ts'
import { waitFor } from '../testing/wait.ts'
import { openReportQueue, startReportSender } from './report.ts'

test('a report that waited in Redis is sent again with the same id and text', async () => {
  const context = await startTestContext()
  const environment = parseEnvironment(context.variables)
  const redis = connectRedis({ REDIS_URL: context.redis.url })
  const storage = createStorage(environment)
  const reports = openReportQueue(redis, environment, storage)
  const sender = startReportSender(redis, environment, storage)
  onTestFinished(async () => {
    await Promise.all([sender.close(), reports.close()])
    redis.disconnect()
    await context.close()
  })
  context.edge.answer = () => ({ status: context.edge.received.length === 1 ? 500 : 200, continue: true })
  const at = new Date().toISOString()
  const outcome = {
    processing_seconds: 1,
    error_code: 'processing_failed',
    error: 'It failed.',
    status: 'failed',
  }
  // Another order than that of the schema.
  const report = { outcome, started_at: at, at, fence: 1001, job_id: 'late', type: 'job.finished' }
  await reports.deliver(report as Parameters<typeof reports.deliver>[0])
  await waitFor('the second report', () => context.edge.received.length === 2)
  const [first, second] = context.edge.received
  expect(second).toEqual(first)
})
