import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { ledgerOf, register, showJob, submit } from '../../test/edge/worker/people.ts'
import { jobs } from '../tables.ts'
import { giveUpOldJobs } from './expire-old-jobs.ts'

const HOUR_MS = 60 * 60 * 1000
const testContext = makeTestContext()

test('a job that is open for over a day fails and is refunded once', async () => {
  const person = await register(testContext)
  const [old, young] = [await submit(testContext, person), await submit(testContext, person)]
  const { db } = testContext.deps
  await db
    .update(jobs)
    .set({ createdAt: Date.now() - 25 * HOUR_MS })
    .where(eq(jobs.id, old))
  await giveUpOldJobs(testContext.deps)
  await giveUpOldJobs(testContext.deps)
  expect(await showJob(testContext, person, old)).toMatchObject({
    status: 'failed',
    final_cost: 0,
    error_code: 'processing_failed',
    error: expect.stringContaining('within 24 hours'),
  })
  expect(await showJob(testContext, person, young)).toMatchObject({ status: 'queued' })
  expect((await ledgerOf(testContext, person)).check).toMatchObject({ ok: true, balance: 18 })
})
