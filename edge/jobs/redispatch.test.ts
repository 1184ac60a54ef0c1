import { inArray } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { Dispatch } from '../../shared/protocol/dispatch.ts'
import { LOST_QUEUE, makeTestContext } from '../../test/edge/worker/context.ts'
import { register, submit } from '../../test/edge/worker/people.ts'
import { acknowledgeEffects } from '../platform/outbox/queries.ts'
import { jobs } from '../tables.ts'
import { dispatchEffectId } from './dispatch.ts'
import { jobQuery } from './queries.ts'
import { redispatchStaleJobs } from './redispatch.ts'

const testContext = makeTestContext({ DISPATCH: LOST_QUEUE })
const { db } = testContext.deps
/** Fills the largest valid dispatch; a hundred of them exceed one database response. */
const LONG = 'x'.repeat(110_000)

test('a hundred stale jobs with the largest dispatches are all redispatched', {
  tags: ['extended'],
}, async () => {
  const [job] = await jobQuery(db, await submit(testContext, await register(testContext)))
  if (job === undefined) throw new Error('there is no such job')
  const before = Date.now() - 24 * 60 * 60 * 1000
  const ids: string[] = []
  for (const status of ['queued', 'processing'] as const) {
    for (let count = 0; count < 50; count++) {
      const id = crypto.randomUUID()
      const dispatch = { ...Dispatch.parse(job.dispatch), job_id: id, params: { note: LONG } }
      await db
        .insert(jobs)
        .values({ ...job, id, resultId: crypto.randomUUID(), status, dispatch, heardAt: before })
      ids.push(id)
    }
  }
  try {
    await redispatchStaleJobs(testContext.deps)
    const handed = await db.select({ heardAt: jobs.heardAt }).from(jobs).where(inArray(jobs.id, ids))
    expect(handed.filter(({ heardAt }) => heardAt > before)).toHaveLength(100)
  } finally {
    // Later test files in this workerd process share the database and would pick up these jobs and effects.
    await db.update(jobs).set({ status: 'canceled' }).where(inArray(jobs.id, ids))
    const effects = ids.map((id) =>
      dispatchEffectId({ job_id: id, dispatch: Dispatch.parse(job.dispatch).dispatch + 1 }),
    )
    await acknowledgeEffects(db, effects)
  }
})
