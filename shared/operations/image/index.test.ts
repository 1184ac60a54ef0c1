import { expect, test } from 'vitest'
import type { Operation } from '../../planning/operation.ts'
import { validateParams } from '../../planning/validate.ts'
import { IMAGE_OPERATIONS } from './index.ts'

const operations = IMAGE_OPERATIONS as unknown as readonly Operation[]

test('lists the operations of the contract with their credits and families', () => {
  expect(operations.map(({ key, credits, family }) => `${key} ${credits} ${family}`)).toEqual([
    'resize 1 resize',
    'compress 1 compress',
    'convert 1 convert',
    'crop 1 null',
    'circle 1 null',
    'transform 1 null',
    'enhance 1 null',
    'social 1 null',
    'web_optimize 1 null',
    'strip_meta 1 strip_metadata',
    'device_meta 2 device_meta',
    'watermark 1 watermark',
    'edit 2 null',
  ])
})

test('allows chaining of all operations', () => {
  for (const { edit } of operations) expect(edit).toBeTypeOf('function')
  expect(operations.filter(({ requiresPipeline }) => requiresPipeline).map(({ key }) => key)).toEqual([
    'edit',
  ])
})

test.each([
  ['resize', {}, 'width'],
  ['transform', {}, 'rotate'],
  ['transform', { rotate: 0 }, 'rotate'],
  ['enhance', {}, 'brightness'],
  ['enhance', { brightness: 1, blur: 0, autocontrast: false }, 'brightness'],
  ['strip_meta', { strip_metadata: false }, 'strip_gps'],
  ['strip_meta', { metadata_mode: 'merge' }, 'strip_gps'],
  ['device_meta', {}, 'preset'],
  ['watermark', {}, 'text'],
  ['watermark', { text: '  ' }, 'text'],
  ['watermark', { text: '\u3164\u2800\u115f' }, 'text'],
])('refuses %s %j because it requests no change', (key, params, field) => {
  const operation = operations.find((each) => each.key === key)
  if (operation === undefined) throw new Error(key)
  expect(validateParams(operation, params)).toMatchObject({ refused: { field } })
})

test.each([
  ['crop', { crop_aspect: '7:3' }, 'crop_aspect'],
  ['circle', { diameter: 8 }, 'diameter'],
  ['circle', { bg_color: 'url(x)' }, 'bg_color'],
  ['transform', { rotate: 360 }, 'rotate'],
  ['transform', { rotate: -90 }, 'rotate'],
  ['transform', { flip: 'x' }, 'flip'],
  ['enhance', { sharpness: 4.1 }, 'sharpness'],
  ['enhance', { blur: 101 }, 'blur'],
  ['social', { width: 15 }, 'width'],
  ['social', { width: 20_000, height: 20_000 }, 'width'],
  ['web_optimize', { quality: 0 }, 'quality'],
  ['compress', { format: 'gif' }, 'format'],
  ['device_meta', { preset: 'nokia_3310' }, 'preset'],
  ['device_meta', { preset: 'iphone', creation_time: 'yesterday' }, 'creation_time'],
  ['device_meta', { preset: 'iphone', creation_time: '1500-01-01T00:00:00Z' }, 'creation_time'],
  ['device_meta', { preset: 'iphone', creation_time: '2100-01-01T00:00:00Z' }, 'creation_time'],
  ['watermark', { text: 'x', opacity: 0 }, 'opacity'],
  ['watermark', { logo_url: 'file:///etc/passwd' }, 'logo_url'],
])('refuses %s %j because of the value', (key, params, field) => {
  const operation = operations.find((each) => each.key === key)
  if (operation === undefined) throw new Error(key)
  expect(validateParams(operation, params)).toMatchObject({ refused: { field } })
})

test('the error for an invalid time gives an example', () => {
  const operation = operations.find(({ key }) => key === 'device_meta')
  if (operation === undefined) throw new Error('device_meta')
  expect(validateParams(operation, { preset: 'iphone', creation_time: 'yesterday' })).toMatchObject({
    refused: {
      message: expect.objectContaining({ en: expect.stringContaining('such as 2026-05-01T12:30:00') }),
    },
  })
})
