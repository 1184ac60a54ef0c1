import { expect, test } from 'vitest'
import { type Job, MediaError } from '../../../client/src/index.ts'
import type { Upload } from './items.ts'
import {
  applyEvent,
  isOpen,
  isUnanswered,
  remainingSeconds,
  remainingUploadSeconds,
  runsToSubmit,
  type Scheduled,
} from './schedule.ts'

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
  ['a lost connection', new MediaError('', { code: 'network_error' }), true],
  ['a fault of the service', new MediaError('', { status: 503, code: 'unavailable' }), true],
  ['a low balance', new MediaError('', { status: 402, code: 'insufficient_credits' }), false],
  ['a fault of the page', new TypeError(''), false],
])('knows whether a job may exist after %s', (_name, error, expected) => {
  expect(isUnanswered({ job: null, error })).toBe(expected)
  expect(isOpen({ job: null, error })).toBe(false)
})

test.each([
  [2, 60, null],
  [50, 1, null],
  [25, 10, 30],
  [100, 10, 0],
])('at %d percent after %d seconds, %s seconds remain', (progress, elapsed, remaining) => {
  expect(remainingSeconds(progress, elapsed)).toBe(remaining)
})

test.each([
  [null, 0.5, null],
  [{ at_ms: 0, fraction: 0 }, 0.25, 30],
  [{ at_ms: 0, fraction: 0.5 }, 0.75, 10],
  [{ at_ms: 0, fraction: 0.5 }, 0.5, null],
  [{ at_ms: 9500, fraction: 0 }, 0.1, null],
])('an upload that started at %j and has sent %d takes %s more seconds', (started, fraction, seconds) => {
  expect(remainingUploadSeconds({ started, fraction }, 10_000)).toBe(seconds)
})

test('events move a job on, and the last one replaces it', () => {
  const job = { id: 'a', status: 'queued', progress: 0, started_at: null } as Job
  const started = applyEvent(job, { type: 'status', job_id: 'a', status: 'processing', at: 'now' })
  expect(started).toMatchObject({ status: 'processing', started_at: 'now' })
  const halfway = applyEvent(started, { type: 'progress', job_id: 'a', progress: 50 })
  expect(halfway).toMatchObject({ status: 'processing', progress: 50, started_at: 'now' })
  const done = { ...job, status: 'done' } as Job
  expect(applyEvent(halfway, { type: 'status', job_id: 'a', status: 'done', at: 'then', job: done })).toBe(
    done,
  )
})
