import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addressOf, keyOf, plainName, resultIdOf, safeName, uploadKeysOf } from './addresses.ts'

const SITE = 'https://media.example.com'
const anyText = fc.string({ unit: 'binary', maxLength: 200 })
/** Includes lone surrogates, because JSON can contain them. */
const anyUnits = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 300 })
  .map((units) => String.fromCharCode(...units))

describe('URLs and keys', () => {
  test('map to each other for any name', () => {
    fc.assert(
      fc.property(fc.uuid(), anyText, (id, name) => {
        const key = `uploads/${id}/${name.replaceAll('/', '_')}`
        expect(keyOf(SITE, addressOf(SITE, key))).toBe(key)
      }),
      { seed: 6, numRuns: 500 },
    )
  })

  test.each([
    [`${SITE}/files/uploads/a/b.mp4?x=1`, 'uploads/a/b.mp4'],
    [`${SITE}/files/uploads/a/b.mp4#t=1`, 'uploads/a/b.mp4'],
    [`${SITE}/files/results/j/1001/%D1%84.mp4`, 'results/j/1001/ф.mp4'],
    [`${SITE}/files/uploads/%zz`, null],
    [`${SITE}/files/`, null],
    [`${SITE}/files/secrets/a`, null],
    [`${SITE}/files/uploads/${'x'.repeat(1100)}`, null],
    [`${SITE}/other/uploads/a`, null],
    [`${SITE}.evil.example/files/uploads/a`, null],
    ['https://elsewhere.example.com/files/uploads/a', null],
    ['', null],
  ])('%s has the key %s', (address, key) => {
    expect(keyOf(SITE, address)).toBe(key)
  })

  test.each([
    ['results/j1/1001/a.mp4', 'j1'],
    ['uploads/j1/a.mp4', null],
    ['results', null],
    ['results//a', null],
  ])('the result id in %s is %s', (key, job) => {
    expect(resultIdOf(key)).toBe(job)
  })
})

describe('a safe name', () => {
  test.each([
    ['holiday.mp4', 'holiday.mp4'],
    ['Відпустка 2026.MOV', 'Відпустка_2026.MOV'],
    ['../../etc/passwd', 'etc_passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['a/b\\c.png', 'a_b_c.png'],
    ['', 'file'],
    ['...', 'file'],
    ['$(rm -rf).mp4', 'rm_-rf_.mp4'],
    ['line\r\nbreak.mp4', 'line_break.mp4'],
  ])('of %j is %j', (filename, safe) => {
    expect(safeName(filename)).toBe(safe)
  })

  test('is never empty, never too long, has no separator, and is valid in a URL', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, anyUnits), (filename) => {
        const safe = safeName(filename)
        expect(safe).toMatch(/^[^._][\p{L}\p{M}\p{N}._-]*$|^[\p{L}\p{M}\p{N}_-][\p{L}\p{M}\p{N}._-]*$/u)
        expect(safe.length).toBeLessThanOrEqual(120)
        expect(safe.isWellFormed()).toBe(true)
        expect(encodeURIComponent(safe)).not.toBe('')
      }),
      { seed: 7, numRuns: 1000 },
    )
  })

  test('that is shortened splits no character', () => {
    expect(safeName(`a${'𠀀'.repeat(100)}.mp4`).isWellFormed()).toBe(true)
    expect(safeName(`a.b${'𠀀'.repeat(20)}`).isWellFormed()).toBe(true)
  })
})

describe('the displayed name', () => {
  test.each([
    ['holiday.mp4', 'holiday.mp4'],
    ['  відео 🎬.mp4 ', 'відео 🎬.mp4'],
    ['a\r\nb\u0000.mp4', 'ab.mp4'],
    ['', 'file'],
    [' \n', 'file'],
  ])('of %j is %j', (filename, expected) => {
    expect(plainName(filename)).toBe(expected)
  })

  test('is one well-formed line that is never empty or too long', () => {
    fc.assert(
      fc.property(anyUnits, (filename) => {
        const name = plainName(filename)
        expect(name.length).toBeGreaterThan(0)
        expect(name.length).toBeLessThanOrEqual(255)
        expect([name.isWellFormed(), /\p{Cc}/u.test(name)]).toEqual([true, false])
      }),
    )
  })
})

test('the uploads among the files of a job exclude results and external URLs', () => {
  const keys = uploadKeysOf({
    source: { kind: 'object', key: 'uploads/1/a.mp4' },
    assets: {
      logo: { kind: 'object', key: 'uploads/2/logo.png' },
      track: { kind: 'object', key: 'results/job/1001/track.mp3' },
      other: { kind: 'url', url: 'https://media.example.org/a.png' },
    },
  })
  expect(keys).toEqual(['uploads/1/a.mp4', 'uploads/2/logo.png'])
})
