import { expect, test } from 'vitest'
import type { Job } from '../../client/src/index.ts'
import { findChanges, type NamedRun } from './run-changes.ts'

const operation = { service_slug: 'image', operation_key: 'compress', params: {} }

function makeRun(id: string, job: Partial<Job> | null, error: unknown = null): NamedRun {
  return { name: `${id}.jpg`, run: { id, owner: null, operation, job: job as Job | null, error } }
}

const idsOf = (runs: readonly NamedRun[]) => runs.map(({ run }) => run.id)

test('runs that were open and are not any more have ended', () => {
  const runs = [
    makeRun('waiting', null),
    makeRun('half', { status: 'processing', progress: 50 }),
    makeRun('done', { status: 'done', progress: 100 }),
    makeRun('failed', { status: 'failed', progress: 10 }),
    makeRun('refused', null, new Error('refused')),
    makeRun('old', { status: 'done', progress: 100 }),
  ]
  const { open, ended, fraction } = findChanges(
    runs,
    new Set(['half', 'done', 'failed', 'refused', 'removed']),
  )
  expect(idsOf(open)).toEqual(['waiting', 'half'])
  expect(idsOf(ended)).toEqual(['done', 'failed', 'refused'])
  expect(fraction).toBe(0.25)
})

test('nothing is open after a reload of finished work', () => {
  const { open, ended, fraction } = findChanges(
    [makeRun('old', { status: 'done', progress: 100 })],
    new Set(),
  )
  expect([open, ended, fraction]).toEqual([[], [], 1])
})
