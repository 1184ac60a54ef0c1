import { describe, expect, test } from 'vitest'
import type { Job } from '../../client/src/index.ts'
import { costOf, hasFiles, readFilter, statesOf } from './job-state.ts'

test.each([
  [undefined, 'all', undefined],
  ['anything', 'all', undefined],
  ['open', 'open', ['queued', 'processing']],
  ['failed', 'failed', ['failed']],
] as const)('the filter %s', (text, filter, states) => {
  expect(readFilter(text)).toBe(filter)
  expect(statesOf(readFilter(text))).toEqual(states)
})

describe('the files of a job', () => {
  const result = { expires_at: '2026-11-25T00:00:00.000Z' } as NonNullable<Job['result']>
  const expiry = Date.parse(result.expires_at)

  test.each([
    ['before they expire', { result, result_purged_at: null }, expiry - 1, true],
    ['once they expired', { result, result_purged_at: null }, expiry, false],
    ['once they were deleted', { result, result_purged_at: '2026-11-24T00:00:00.000Z' }, expiry - 1, false],
    ['without a result', { result: null, result_purged_at: null }, 0, false],
  ])('can be downloaded: %s', (_name, job, now, expected) => {
    expect(hasFiles(job, now)).toBe(expected)
  })
})

test.each([
  [{ status: 'queued', final_cost: null, estimated_cost: 2 }, 2],
  [{ status: 'done', final_cost: 5, estimated_cost: 2 }, 5],
  [{ status: 'failed', final_cost: null, estimated_cost: 2 }, 0],
  [{ status: 'canceled', final_cost: null, estimated_cost: 2 }, 0],
] as const)('%o costs %i', (job, cost) => {
  expect(costOf(job)).toBe(cost)
})
