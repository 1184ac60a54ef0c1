import { expect, test } from 'vitest'
import { lengthText } from '../../shared/text/words.ts'
import { parseEnvironment } from '../environment.ts'
import { resultFilename } from '../job/upload.ts'
import { pauseAfter } from '../reports/report.ts'
import { failureOf, frameCount, outputSeconds } from '../runtime/ffmpeg.ts'
import { checkLength } from '../runtime/length.ts'

test.each([
  ['My holiday.MOV', 'compress', 'x.mp4', 'My holiday-compress.mp4'],
  ['Café à la crème.png', 'resize', 'x.png', 'Café à la crème-resize.png'],
  ['../../etc/passwd', 'resize', 'x.jpg', 'passwd-resize.jpg'],
  ['C:\\clips\\a"b\r\nc.mp4', 'trim', 'x.mp4', 'a_b_c-trim.mp4'],
  ['відео.mp4', 'trim', 'x.mp4', 'відео-trim.mp4'],
  ['', 'trim', 'x.mp4', 'file-trim.mp4'],
  [`${'a'.repeat(300)}.mp4`, 'trim', 'x.mp4', `${'a'.repeat(111)}-trim.mp4`],
])('derives the name of the result from %j and %s', (input, operation, output, name) => {
  expect(resultFilename(input, operation, output)).toBe(name)
  expect(name.length).toBeLessThanOrEqual(120)
})

test('names length, limit and tier of an input over the length limit', () => {
  const spec = { max_input_seconds: 1800, tier: 'free' } as const
  expect(() => checkLength(1800, spec)).not.toThrow()
  expect(() => checkLength(2530, spec)).toThrow(
    'The video is 42 min 10 s long; the free tier allows up to 30 min. Use a shorter video.',
  )
})

test.each([
  [0, '0 s'],
  [0.6, '1 s'],
  [45, '45 s'],
  [119.7, '2 min'],
  [2530, '42 min 10 s'],
  [3600, '1 h'],
  [3605, '1 h 5 s'],
  [93_784, '26 h 3 min 4 s'],
])('formats %d seconds as %s', (seconds, text) => {
  expect(lengthText('en', seconds)).toBe(text)
})

test('parses frame counts in both formats of ffmpeg', () => {
  expect(frameCount('frame=0')).toBe(0)
  expect(frameCount('frame=  12')).toBe(12)
  expect(frameCount('frame:0    pts:0       pts_time:0')).toBe(1)
  expect(frameCount('out_time_us=1500000')).toBeNull()
})

test('parses ffmpeg progress and classifies its exit', () => {
  expect(outputSeconds('out_time_us=1500000')).toBe(1.5)
  expect(outputSeconds('out_time_us=N/A')).toBeNull()
  const end = { code: 1, ended_by: null, stdout: '', stderr: '' }
  expect(failureOf(end)).toMatchObject({ error_code: 'processing_failed' })
  const refused = 'Error submitting a packet to the muxer: Operation not permitted'
  expect(failureOf({ ...end, code: 255 })).not.toHaveProperty('error_code')
  expect(failureOf({ ...end, code: 255, stderr: refused })).toMatchObject({ error_code: 'processing_failed' })
  expect(failureOf({ ...end, code: null, ended_by: 'SIGXFSZ' })).toMatchObject({
    error_code: 'output_too_large',
  })
  expect(failureOf({ ...end, code: null, ended_by: 'SIGSEGV' })).toMatchObject({
    error_code: 'processing_failed',
  })
  const over_cpu = [{ ended_by: 'SIGXCPU' as const, code: null }, { code: 152 }, { code: 123 }]
  for (const exit of over_cpu)
    expect(failureOf({ ...end, ...exit })).toMatchObject({ error_code: 'time_limit' })
  expect(failureOf({ ...end, code: 255 })).not.toHaveProperty('error_code')
  for (const stderr of ['No space left on device', 'Connection reset by peer'])
    expect(failureOf({ ...end, code: 152, stderr })).not.toHaveProperty('error_code')
  expect(failureOf({ ...end, code: null, ended_by: 'SIGKILL' })).not.toHaveProperty('error_code')
})

test('retries a report quickly at first, then every 30 s without limit', () => {
  expect([1, 2, 3].map(pauseAfter)).toEqual([200, 500, 1000])
  expect(pauseAfter(1000)).toBe(30_000)
})

test('limits results to the size of a single PUT', () => {
  const addresses = { EDGE_URL: 'http://127.0.0.1', FLEET_KEYS: 'YWFh', S3_ENDPOINT: 'http://127.0.0.1' }
  const keys = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }
  const single_put = (5 * 1024 - 5) * 1024 ** 2
  expect(parseEnvironment({ ...addresses, ...keys }).OUTPUT_BYTES_MAX).toBe(single_put)
})

test('reads a renamed setting, unless it contradicts its new name', () => {
  const addresses = { EDGE_URL: 'http://127.0.0.1', FLEET_KEYS: 'YWFh', S3_ENDPOINT: 'http://127.0.0.1' }
  const keys = { S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b', VIDEO_CONCURRENCY: '3' }
  expect(parseEnvironment({ ...addresses, ...keys }).LONG_CONCURRENCY).toBe(3)
  expect(() => parseEnvironment({ ...addresses, ...keys, LONG_CONCURRENCY: '2' })).toThrow(
    /VIDEO_CONCURRENCY is now called LONG_CONCURRENCY/,
  )
})

test('lists all missing settings in one error', () => {
  expect(() => parseEnvironment({ PORT: 'x' })).toThrow(/PORT[\s\S]*EDGE_URL[\s\S]*FLEET_KEYS/)
})
