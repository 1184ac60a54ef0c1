import { describe, expect, test } from 'vitest'
import { DEFAULT_OUTPUT_KEY, isOutputKey, outputKeyFor } from './output.ts'

const VALUES = { job_id: 'j1', filename: 'clip-trim.mp4', operation_key: 'trim' }

describe('the key of an export', () => {
  test.each([
    [DEFAULT_OUTPUT_KEY, 'j1/clip-trim.mp4'],
    ['done/{operation_key}/{job_id}-{filename}', 'done/trim/j1-clip-trim.mp4'],
    ['latest.mp4', 'latest.mp4'],
    ['{filename}/{filename}', 'clip-trim.mp4/clip-trim.mp4'],
  ])('%s becomes %s', (template, key) => {
    expect(isOutputKey(template)).toBe(true)
    expect(outputKeyFor(template, VALUES, 1)).toBe(key)
  })

  test('does not replace names that a value contains', () => {
    expect(outputKeyFor('{filename}', { ...VALUES, filename: '{operation_key}$&.mp4' }, 1)).toBe(
      '{operation_key}$&.mp4',
    )
  })

  test('is a folder if there are several files and it does not contain their names', () => {
    expect(outputKeyFor('stills', VALUES, 3)).toBe('stills/clip-trim.mp4')
    expect(outputKeyFor('{job_id}-{filename}', VALUES, 3)).toBe('j1-clip-trim.mp4')
  })

  test.each([
    '',
    '/a',
    'a/',
    '../a',
    'a/../b',
    'a/./b',
    'a\u0000b',
    'a\nb',
    '{name}',
    '{job_id}/{}',
    'x'.repeat(1100),
  ])('cannot be %j', (template) => {
    expect(isOutputKey(template)).toBe(false)
  })
})
