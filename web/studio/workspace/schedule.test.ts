import { expect, test } from 'vitest'
import { type Job, MediaError } from '../../../client/src/index.ts'
import type { Run, Upload } from './items.ts'
import {
  applyEvent,
  findFailed,
  findPostponement,
  findRepetition,
  isFinalRefusal,
  isHeld,
  isOpen,
  isRefusal,
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
  owner: string | null = null,
) => ({ key, upload, run: { owner, job: status && { status }, error } }) as Scheduled

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
  expect(runsToSubmit(runs, null, new Set(), 3)).toEqual(['first', 'second'])
  expect(runsToSubmit(runs, null, new Set(['first']), 3)).toEqual(['second'])
  expect(runsToSubmit(runs, null, new Set(['first', 'second']), 3)).toEqual([])
  expect(runsToSubmit(runs, null, new Set(), 1)).toEqual([])
})

test('runs wait for the account that started them', () => {
  const runs = [
    scheduled('of a visitor', 'done', null),
    scheduled('of an account', 'done', null, null, '7'),
    scheduled('of another account', 'done', null, null, '8'),
  ]
  expect(runsToSubmit(runs, null, new Set(), 9)).toEqual(['of a visitor'])
  expect(runsToSubmit(runs, '7', new Set(), 9)).toEqual(['of an account'])
  expect(runs.map(({ run }) => isHeld(run, '7'))).toEqual([true, false, true])
})

test('open jobs of other users leave the limit alone', () => {
  const runs = [scheduled('open', 'done', 'queued', null, '7'), scheduled('own', 'done', null)]
  expect(runsToSubmit(runs, null, new Set(), 1)).toEqual(['own'])
})

test.each([
  ['other open jobs', { status: 429, code: 'too_many_jobs_in_flight' }, { reason: 'busy', wait_ms: 3000 }],
  [
    'the limit per minute',
    { status: 429, code: 'rate_limited', retryAfter: 12 },
    { reason: 'limit', wait_ms: 12_000 },
  ],
  ['a limit per day', { status: 429, code: 'rate_limited', retryAfter: 7200 }, null],
  ['a lost connection', { code: 'network_error' }, { reason: 'unreachable', wait_ms: 5000 }],
  [
    'maintenance',
    { status: 503, code: 'maintenance', retryAfter: 30 },
    { reason: 'unreachable', wait_ms: 30_000 },
  ],
  ['a fault of the service', { status: 500, code: 'internal_error' }, null],
  ['a low balance', { status: 402, code: 'insufficient_credits' }, null],
])('after %s, runs are postponed accordingly', (_name, fields, expected) => {
  expect(findPostponement(new MediaError('', fields))).toEqual(expected)
})

test('what is open or done is not started again, unless its files are gone', () => {
  const operation = { service_slug: 'image', operation_key: 'compress', params: {} }
  const expires_at = new Date(2000).toISOString()
  const run = (status: Job['status']) =>
    ({ operation, error: null, job: { status, result: { expires_at }, result_purged_at: null } }) as Run
  expect(findRepetition([run('failed')], operation, 1000)).toBeNull()
  expect(findRepetition([run('queued')], operation, 1000)).toBe('open')
  expect(findRepetition([run('done')], operation, 1000)).toBe('done')
  expect(findRepetition([run('done')], operation, 3000)).toBeNull()
  expect(findRepetition([run('done')], { ...operation, params: { quality: 5 } }, 1000)).toBeNull()
})

test('a failed run counts until it is started again', () => {
  const operation = { service_slug: 'image', operation_key: 'compress', params: {} }
  const run = (id: string, status: Job['status'] | null, error: unknown = null, params = {}) =>
    ({ id, operation: { ...operation, params }, error, job: status && { status } }) as Run
  const ids = (runs: Run[]) => findFailed(runs).map(({ id }) => id)
  expect(ids([run('a', 'failed'), run('b', null, new Error('refused'), { quality: 5 })])).toEqual(['a', 'b'])
  expect(ids([run('a', 'failed'), run('b', 'queued')])).toEqual([])
  expect(ids([run('a', 'failed'), run('b', 'failed')])).toEqual(['b'])
  expect(ids([run('a', 'canceled'), run('b', 'done', null, { quality: 5 })])).toEqual([])
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
  [415, true],
  [404, true],
  [401, false],
  [408, false],
  [429, false],
  [503, false],
  [0, false],
])('knows whether status %d is final', (status, expected) => {
  expect(isFinalRefusal(new MediaError('', { code: 'refused', status }))).toBe(expected)
})

test('a job that the session may not read is not read again', () => {
  expect(isRefusal(new MediaError('', { code: 'unauthenticated', status: 401 }))).toBe(true)
  expect(isRefusal(new MediaError('', { code: 'refused', status: 429 }))).toBe(false)
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
