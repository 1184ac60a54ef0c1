import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { resize } from '../operations/image/resize.ts'
import { findOperation, OPERATIONS } from '../operations/index.ts'
import type { Operation, ServiceSlug } from './operation.ts'
import { validateParams } from './validate.ts'

function operation(service: ServiceSlug, key: string): Operation {
  const found = findOperation(service, key)
  if (found === undefined) throw new Error(`no ${service}/${key}`)
  return found
}

const refusals: [ServiceSlug, string, Record<string, unknown>, string, string][] = [
  ['video', 'compress', { crf: 99 }, 'crf', 'crf: must be at most 51, not 99'],
  ['video', 'compress', { crf: -1 }, 'crf', 'crf: must be at least 0, not -1'],
  ['video', 'compress', { crf: 1.5 }, 'crf', 'crf: must be an integer, not 1.5'],
  ['video', 'compress', { crf: null }, 'crf', 'crf: must be a number, not null'],
  [
    'video',
    'compress',
    { level: 'huge' },
    'level',
    'level: must be one of light, medium, strong, not "huge"',
  ],
  ['video', 'trim', { start: '5' }, 'start', 'start: must be a number, not "5"'],
  ['video', 'trim', { start: -0.1 }, 'start', 'start: must be at least 0, not -0.1'],
  ['video', 'trim', { duration: 0 }, 'duration', 'duration: must be at least 0.001, not 0'],
  ['video', 'trim', { precise: 'yes' }, 'precise', 'precise: must be true or false, not "yes"'],
  ['video', 'thumbnail', { width: 15 }, 'width', 'width: must be at least 16, not 15'],
  ['video', 'thumbnail', { width: 3841 }, 'width', 'width: must be at most 3840, not 3841'],
  ['image', 'convert', { quality: 0 }, 'quality', 'quality: must be at least 1, not 0'],
  ['image', 'convert', { max_kb: 0 }, 'max_kb', 'max_kb: must be at least 1, not 0'],
  [
    'image',
    'convert',
    { format: 'gif' },
    'format',
    'format: must be one of webp, avif, jpeg, png, not "gif"',
  ],
  [
    'image',
    'watermark',
    { logo_url: 'ftp://a.b/c' },
    'logo_url',
    'logo_url: must be an http or https URL, not "ftp://a.b/c"',
  ],
  ['image', 'watermark', { logo_url: 7 }, 'logo_url', 'logo_url: must be a string, not 7'],
  ['video', 'link_info', { url: 'x' }, 'url', 'url: must be an http or https URL, not "x"'],
  ['image', 'resize', { width: 20_001 }, 'width', 'width: must be at most 20000, not 20001'],
  ['image', 'resize', { width: 1e308 }, 'width', 'width: must be at most 20000, not 1e+308'],
  ['image', 'resize', { width: -1e308 }, 'width', 'width: must be at least 16, not -1e+308'],
  ['video', 'add_audio', { tracks: [] }, 'tracks', 'tracks: must be at least 1 entry long, not []'],
  [
    'image',
    'resize',
    {},
    'width',
    'width: is required. Set width, height or both, or set percent with resize_mode scale',
  ],
  [
    'image',
    'resize',
    { percent: 50 },
    'width',
    'width: is required. Set width, height or both, or set percent with resize_mode scale',
  ],
  [
    'image',
    'resize',
    { resize_mode: 'scale', width: 50 },
    'percent',
    'percent: is required with resize_mode scale',
  ],
]

describe('a refusal names the parameter, what is required and the invalid value', () => {
  test.each(refusals)('%s/%s %j', (service, key, params, field, message) => {
    expect(validateParams(operation(service, key), params)).toMatchObject({
      refused: { field, message: { en: message } },
    })
  })

  test('a long value is not echoed', () => {
    const refusal = validateParams(operation('video', 'trim'), { start: 'x'.repeat(5000) })
    expect(refusal).toMatchObject({ refused: { field: 'start', message: { en: 'start: must be a number' } } })
  })
})

describe('unknown parameters', () => {
  test('are refused by name, with the accepted ones', () => {
    expect(validateParams(operation('video', 'compress'), { quality: 3 })).toMatchObject({
      refused: {
        field: 'quality',
        message: {
          en: 'quality: is not a parameter of video/compress. It accepts level, crf, preset, codec',
        },
      },
    })
  })

  test('are shortened in the message', () => {
    const result = validateParams(resize, { ['k'.repeat(100_000)]: 1 })
    expect(JSON.stringify(result).length).toBeLessThan(900)
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
    '%s is an unknown parameter as well',
    (key) => {
      const params = JSON.parse(`{"${key}": {"width": 100, "polluted": true}}`)
      expect(validateParams(resize, params)).toMatchObject({ refused: { field: key } })
      expect({}).not.toHaveProperty('polluted')
    },
  )
})

test('applies the defaults', () => {
  expect(validateParams(operation('video', 'trim'), { start: 2 })).toEqual({
    params: { start: 2, precise: true },
  })
})

test('returns params or a short refusal for any JSON object', () => {
  const keys = OPERATIONS.flatMap((each) => Object.keys(each.parameters.shape))
  const params = fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), fc.jsonValue())
  fc.assert(
    fc.property(fc.constantFrom(...OPERATIONS), params, (each, values) => {
      const result = validateParams(each, values)
      if ('refused' in result) {
        const { en, uk, ru } = result.refused.message
        expect(en.length).toBeLessThan(450)
        for (const text of [uk, ru]) expect(text).toMatch(/[а-яіїє]/)
      } else expect(each.parameters.safeParse(result.params).success).toBe(true)
    }),
    { seed: 1 },
  )
})
