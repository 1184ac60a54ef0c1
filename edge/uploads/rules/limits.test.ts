import { expect, test } from 'vitest'
import { formBytesMax, judgeUpload, PROXIED_BYTES_MAX } from './limits.ts'

const GIGABYTE = 1024 ** 3
const SINGLE_PUT = 5 * GIGABYTE - 5 * 1024 ** 2

test.each([
  ['the largest single PUT', SINGLE_PUT, 'video/mp4', 5, null],
  ['one byte over a single PUT', SINGLE_PUT + 1, 'video/mp4', 5, 'file_too_large'],
  ['the maximum size', 4 * GIGABYTE, 'video/mp4', 4, null],
  ['over a lowered maximum', GIGABYTE + 1, 'video/mp4', 1, 'file_too_large'],
  ['over a single PUT with a lowered maximum', SINGLE_PUT + 1, 'video/mp4', 50, 'file_too_large'],
  ['an HTML page', 10, 'text/html', 5, 'file_type_not_allowed'],
  ['an HTML page in capitals', 10, 'TEXT/HTML', 5, 'file_type_not_allowed'],
  ['a script', 10, 'text/javascript', 5, 'file_type_not_allowed'],
  ['a script with another type', 10, 'application/javascript', 5, 'file_type_not_allowed'],
  ['a drawing', 10, 'image/svg+xml', 5, null],
  ['a camera raw file', 10, 'image/x-adobe-dng', 5, null],
  ['an image of a format that is not read', 10, 'image/x-xcf', 5, 'file_type_not_allowed'],
  ['a video type that contains a page', 10, 'video/html', 5, 'file_type_not_allowed'],
  ['an image type of XML', 10, 'image/x-scene+xml', 5, 'file_type_not_allowed'],
  ['an audio type of XML', 10, 'AUDIO/FOO+XML', 5, 'file_type_not_allowed'],
  ['an image', 10, 'image/png', 5, null],
  ['an unknown type', 10, 'application/octet-stream', 5, null],
  ['an unknown type of S3', 10, 'binary/octet-stream', 5, null],
  ['audio', 10, 'audio/x-wav', 5, null],
  ['a container with another type', 10, 'application/mxf', 5, null],
  ['subtitles', 10, 'text/vtt', 5, null],
  ['subtitles with another type', 10, 'application/x-subrip', 5, null],
  ['text', 10, 'text/plain', 5, null],
  ['a program', 10, 'application/x-php', 5, 'file_type_not_allowed'],
  ['source code', 10, 'text/x-python', 5, 'file_type_not_allowed'],
  ['a document', 10, 'application/pdf', 5, 'file_type_not_allowed'],
  ['an archive', 10, 'application/zip', 5, 'file_type_not_allowed'],
  ['a type that begins like another', 10, 'application/mp4-archive', 5, 'file_type_not_allowed'],
])('%s is judged', (_name, size_bytes, content_type, maximum, code) => {
  expect(judgeUpload({ size_bytes, content_type }, maximum)?.code ?? null).toBe(code)
})

test('the refusal names the limit', () => {
  expect(judgeUpload({ size_bytes: 2 * GIGABYTE, content_type: 'video/mp4' }, 1)).toEqual({
    code: 'file_too_large',
    facts: { bytes_max: GIGABYTE, is_proxied: false },
  })
})

test('proxied uploads have a lower limit, and the refusal says where larger files go', () => {
  const judge = (size_bytes: number, maximum = 5) =>
    judgeUpload({ size_bytes, content_type: 'video/mp4' }, maximum, PROXIED_BYTES_MAX)
  expect(judge(PROXIED_BYTES_MAX)).toBeNull()
  expect(judge(PROXIED_BYTES_MAX + 1)).toEqual({
    code: 'file_too_large',
    facts: { bytes_max: PROXIED_BYTES_MAX, is_proxied: true },
  })
  expect(judge(GIGABYTE, 0.01)).toMatchObject({ facts: { is_proxied: false } })
})

test.each([
  ['1000', 1000],
  [String(PROXIED_BYTES_MAX + 1000), PROXIED_BYTES_MAX],
  [null, PROXIED_BYTES_MAX],
  ['0', PROXIED_BYTES_MAX],
  ['-5', PROXIED_BYTES_MAX],
  ['many', PROXIED_BYTES_MAX],
])('a form with Content-Length %s has a file of at most %i bytes', (length, bytes_max) => {
  expect(formBytesMax(5, length)).toBe(bytes_max)
})

test('a form has no larger file than the deployment allows', () => {
  expect(formBytesMax(0.01, null)).toBe(Math.floor(0.01 * GIGABYTE))
})
