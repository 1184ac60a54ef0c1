import { expect, test } from 'vitest'
import { CONTENT_TYPE, judgeUpload, PROXIED_BYTES_MAX } from './limits.ts'

const GIGABYTE = 1024 ** 3
const SINGLE_PUT = 5 * GIGABYTE - 5 * 1024 ** 2

test.each([
  ['as large as one PUT takes', SINGLE_PUT, 'video/mp4', 5, null],
  ['a byte too large for it', SINGLE_PUT + 1, 'video/mp4', 5, 413],
  ['as large as may be', 4 * GIGABYTE, 'video/mp4', 4, null],
  ['over a smaller maximum', GIGABYTE + 1, 'video/mp4', 1, 413],
  ['over what one PUT takes', SINGLE_PUT + 1, 'video/mp4', 50, 413],
  ['a page', 10, 'text/html', 5, 415],
  ['a page in capitals', 10, 'TEXT/HTML', 5, 415],
  ['a script', 10, 'text/javascript', 5, 415],
  ['a script of another name', 10, 'application/javascript', 5, 415],
  ['a drawing that can run scripts', 10, 'image/svg+xml', 5, 415],
  ['a picture', 10, 'image/png', 5, null],
  ['something unknown', 10, 'application/octet-stream', 5, null],
])('%s', (_name, size_bytes, content_type, maximum, status) => {
  expect(judgeUpload({ size_bytes, content_type }, maximum)?.status ?? null).toBe(status)
})

test('the refusal names the limit', () => {
  expect(judgeUpload({ size_bytes: 6 * GIGABYTE, content_type: 'video/mp4' }, 5)?.message).toBe(
    'the file is larger than 5 GB',
  )
})

test('what passes through the service is smaller, and the refusal says where larger files go', () => {
  const judge = (size_bytes: number, maximum = 5) =>
    judgeUpload({ size_bytes, content_type: 'video/mp4' }, maximum, PROXIED_BYTES_MAX)
  expect(judge(PROXIED_BYTES_MAX)).toBeNull()
  expect(judge(PROXIED_BYTES_MAX + 1)).toEqual({
    status: 413,
    message: 'the file is larger than 100 MB; send it by a direct upload (POST /api/v1/uploads/presign)',
  })
  expect(judge(0.02 * GIGABYTE, 0.01)?.message).toBe('the file is larger than 0.01 GB')
})

test.each([
  ['video/mp4', true],
  ['application/vnd.ms-excel', true],
  ['video', false],
  ['video/mp4; codecs=x', false],
  ['video/mp4\r\nX: 1', false],
  ['', false],
])('%j is a content type: %s', (text, expected) => {
  expect(CONTENT_TYPE.test(text)).toBe(expected)
})
