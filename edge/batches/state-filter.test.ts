/** @module-tag extended */

import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Dispatch } from '../../shared/protocol/dispatch.ts'
import { makeTestContext, nextQuery } from '../../test/edge/worker/context.ts'
import { type Person, register } from '../../test/edge/worker/people.ts'
import { newJob, type StoredJob } from '../jobs/queries.ts'
import { JOB_STATES, type JobState } from '../jobs/rules/states.ts'
import { batches, jobs } from '../tables.ts'
import type { StoredBatch } from './queries.ts'
import { BATCH_STATES, type BatchStop } from './rules/states.ts'

const testContext = makeTestContext()
const { call, deps } = testContext
const NEVER_STALE = Date.UTC(9999, 0)

interface Sample {
  files: JobState[]
  stopped: BatchStop | null
}

const batchOf = (owner: Person, { files, stopped }: Sample, createdAt: number): StoredBatch => ({
  id: crypto.randomUUID(),
  accountId: owner.id,
  serviceSlug: 'video',
  operationKey: 'trim',
  params: {},
  total: files.length,
  stopped,
  error: null,
  webhookUrl: null,
  tag: null,
  metadata: {},
  template: null,
  repeatOf: null,
  createdAt,
})

const fileOf = (owner: Person, batchId: string, status: JobState, position: number): StoredJob => ({
  ...newJob({
    id: crypto.randomUUID(),
    accountId: owner.id,
    serviceSlug: 'video',
    operationKey: 'trim',
    params: {},
    dispatch: { filename: 'a.mp4' } as Partial<Dispatch> as Dispatch,
    source: 'api',
    repeatOf: null,
    estimatedCost: 2,
    tariff: { base_credits: 2, per_extra_minute_credits: 1, max_credits: 30 },
    // Recent, so that tests of old jobs, which share the database, leave them open.
    createdAt: Date.now(),
  }),
  batchId,
  batchPosition: position,
  status,
  heardAt: NEVER_STALE,
})

const SAMPLES = fc.sample(
  fc.record<Sample>({
    files: fc.array(fc.constantFrom(...JOB_STATES), { minLength: 1, maxLength: 3 }),
    stopped: fc.constantFrom(null, null, 'canceled', 'failed'),
  }),
  { numRuns: 60, seed: 7 },
)

describe('the list of batches by state', { tags: ['extended'] }, () => {
  let person: Person
  let stateOf: Map<string, string>

  beforeAll(async () => {
    person = await register(testContext)
    const stranger = await register(testContext)
    for (const [index, sample] of SAMPLES.entries()) {
      for (const owner of [person, stranger]) {
        const batch = batchOf(owner, sample, index)
        await deps.db.insert(batches).values(batch)
        await deps.db
          .insert(jobs)
          .values(sample.files.map((status, position) => fileOf(owner, batch.id, status, position)))
      }
    }
    const { json } = await call('GET', '/api/v1/studio/batches?limit=200', { token: person.token })
    stateOf = new Map(json.map(({ id, status }) => [id, status]))
  })

  test.each<string>([
    ...BATCH_STATES,
    'done,failed',
    'queued,processing',
    'processing,canceled',
    BATCH_STATES.join(),
  ])('%s contains the batches that show it, by any page size', async (states) => {
    const expected = [...stateOf].filter(([, state]) => states.split(',').includes(state))
    expect(expected.length).toBeGreaterThan(0)
    for (const limit of [2, 200]) {
      const seen: [string, string][] = []
      for (let query: string | undefined = `status=${states}&limit=${limit}`; query !== undefined; ) {
        const page = await call('GET', `/api/v1/studio/batches?${query}`, { token: person.token })
        seen.push(...page.json.map(({ id, status }): [string, string] => [id, status]))
        query = nextQuery(page.headers)
      }
      expect(seen).toEqual(expected)
    }
  })

  test('refuses an unknown state', async () => {
    const { status, faults } = await call('GET', '/api/v1/studio/batches?status=ended', {
      token: person.token,
    })
    expect([status, faults[0]?.loc]).toEqual([422, ['query', 'status', 0]])
  })
})
