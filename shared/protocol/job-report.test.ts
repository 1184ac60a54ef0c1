import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fenceOf, JobReport } from './job-report.ts'

test('gives later attempts larger fences, and every attempt of a later dispatch larger ones still', () => {
  const count = fc.integer({ min: 1, max: 1_000_000 })
  fc.assert(
    fc.property(count, count, fc.integer({ min: 1, max: 998 }), (dispatch, attempts_before, attempt) => {
      expect(fenceOf(dispatch, attempt + 1)).toBeGreaterThan(fenceOf(dispatch, attempt))
      expect(fenceOf(dispatch + 1, 1)).toBeGreaterThan(fenceOf(dispatch, attempts_before))
      expect(Number.isSafeInteger(fenceOf(dispatch, attempt))).toBe(true)
    }),
    { seed: 1 },
  )
})

const base = { job_id: 'a', fence: 1001, at: '2026-11-20T10:00:00.000Z' }
const file = {
  key: 'results/a/1001/x.mp4',
  filename: 'x.mp4',
  content_type: 'video/mp4',
  size_bytes: 1,
  sha256: 'ab',
}
const done = { status: 'done', processing_seconds: 1.5, files: [file], body: { encode_mode: 'remux' } }
const failed = {
  status: 'failed',
  processing_seconds: null,
  error: 'The file is damaged.',
  error_code: 'input_unreadable',
}

test.each([
  { type: 'job.started', ...base },
  { type: 'job.progress', ...base, progress: 100 },
  { type: 'job.finished', ...base, started_at: base.at, outcome: done },
  { type: 'job.finished', ...base, started_at: base.at, outcome: failed },
])('parses $type unchanged', (report) => {
  expect(JobReport.parse(JSON.parse(JSON.stringify(report)))).toEqual(report)
})

test.each([
  ['an unknown type', { type: 'job.exploded', ...base }],
  ['no fence', { type: 'job.started', ...base, fence: undefined }],
  ['fence 0', { type: 'job.started', ...base, fence: 0 }],
  ['progress over 100', { type: 'job.progress', ...base, progress: 101 }],
  [
    'done without files',
    { type: 'job.finished', ...base, started_at: base.at, outcome: { ...done, files: [] } },
  ],
  [
    'negative time',
    { type: 'job.finished', ...base, started_at: base.at, outcome: { ...done, processing_seconds: -1 } },
  ],
  [
    'an unknown code',
    { type: 'job.finished', ...base, started_at: base.at, outcome: { ...failed, error_code: 'x' } },
  ],
  ['an invalid timestamp', { type: 'job.started', ...base, at: 'now' }],
])('%s is refused', (_, report) => {
  expect(JobReport.safeParse(report).success).toBe(false)
})

test('an invalid estimate does not refuse a result', () => {
  const outcome = { ...done, typical_seconds: null }
  const report = JobReport.parse({ ...base, type: 'job.finished', started_at: base.at, outcome })
  expect(report).toMatchObject({ outcome: { status: 'done', files: [file] } })
})
