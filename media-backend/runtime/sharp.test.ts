import { expect, test } from 'vitest'
import { LONE_ENVIRONMENT as environment } from '../testing/environment.ts'
import { imageFailure } from './sharp.ts'

test.each([
  ['heif: Invalid input: Wrong tile image chroma format', 'input_unreadable', /different pixel formats/],
  ['VipsJpeg: premature end of JPEG image', 'input_unreadable', /truncated or corrupt/],
  ['Input image exceeds pixel limit', 'input_too_large', /more than 268 megapixels/],
  ['timeout: 80% complete', 'time_limit', /exceeds the time limit/],
])('maps the decoder error "%s" to %s', (message, error_code, sentence) => {
  expect(imageFailure(new Error(message), environment)).toMatchObject({
    error_code,
    message: expect.stringMatching(sentence),
  })
})

test('does not blame the file for a machine fault', () => {
  const fault = new Error('write: No space left on device')
  expect(imageFailure(fault, environment)).toBe(fault)
})
