import { expect, test } from 'vitest'
import type { Job } from '../../../client/src/index.ts'
import type { Upload } from './items.ts'
import { remainingSeconds, runsToSubmit, type Scheduled } from './schedule.ts'

const scheduled = (
  key: string,
  upload: Upload['status'],
  status: Job['status'] | null,
  error: unknown = null,
) => ({ key, upload, run: { job: status && { status }, error } }) as Scheduled

test('runs are submitted in order, once their file is uploaded, up to the limit', () => {
  const runs = [
    scheduled('ended', 'done', 'failed'),
    scheduled('open', 'done', 'processing'),
    scheduled('uploading', 'uploading', null),
    scheduled('refused', 'done', null, new Error('refused')),
    scheduled('first', 'done', null),
    scheduled('second', 'done', null),
    scheduled('third', 'done', null),
  ]
  expect(runsToSubmit(runs, new Set(), 3)).toEqual(['first', 'second'])
  expect(runsToSubmit(runs, new Set(['first']), 3)).toEqual(['second'])
  expect(runsToSubmit(runs, new Set(['first', 'second']), 3)).toEqual([])
  expect(runsToSubmit(runs, new Set(), 1)).toEqual([])
})

test.each([
  [2, 60, null],
  [50, 1, null],
  [25, 10, 30],
  [100, 10, 0],
])('at %d percent after %d seconds, %s seconds remain', (progress, elapsed, remaining) => {
  expect(remainingSeconds(progress, elapsed)).toBe(remaining)
})
