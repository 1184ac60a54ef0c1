import { expect, test } from 'vitest'
import { makeTestContext } from '../../test/edge/worker/context.ts'
import { register, submit } from '../../test/edge/worker/people.ts'
import { jobQuery, transitionJobStatements } from './queries.ts'

test.each(['done', 'failed', 'canceled'] as const)(
  'a job that is %s has no further transitions',
  async (status) => {
    const testContext = makeTestContext()
    const { db } = testContext.deps
    const [job] = await jobQuery(db, await submit(testContext, await register(testContext)))
    if (job === undefined) throw new Error('the job is gone')
    expect(() => transitionJobStatements(db, { ...job, status }, 'processing', {}, 0)).toThrow(
      /cannot go from/,
    )
    expect(() => transitionJobStatements(db, { ...job, status }, 'canceled', {}, 0)).toThrow(/cannot go from/)
    expect(transitionJobStatements(db, job, status, {}, 0).length).toBeGreaterThan(1)
  },
)
