import { afterEach, describe, expect, test } from 'vitest'
import type { Job } from '../../client/src/index.ts'
import { ENCODE_REASONS } from '../../shared/planning/operation.ts'
import { locale } from '../text/locale.ts'
import { haveSameShape, kindOfContent } from './media-kind.ts'
import { listFacts, listNotes } from './result-facts.ts'
import { compareSizes } from './size-change.ts'

type Result = NonNullable<Job['result']>

const COMPRESS = { operation_key: 'compress' } as const
const resultOf = (body: object): Result => ({ size_bytes: 1_048_576, body }) as unknown as Result

afterEach(() => {
  locale.value = 'en'
})

describe('facts', () => {
  test('say what changed', () => {
    locale.value = 'en'
    const body = { encode_mode: 'audio_copy', width: 1280, height: 720, duration_seconds: 61, format: 'webm' }
    const input = { size_bytes: 4_194_304, width: 1920, height: 1080, duration_seconds: 61.2 }
    expect(listFacts(COMPRESS, resultOf(body), input)).toEqual([
      { label: 'Size', value: '4 MB → 1 MB' },
      { label: 'Dimensions', value: '1920 × 1080 → 1280 × 720' },
      { label: 'Duration', value: '1:01' },
      { label: 'Format', value: 'WebM' },
      { label: 'Encoding', value: 'Video encoded, audio copied without loss' },
    ])
  })

  test('name the encoding of a file of subtitles', () => {
    const body = { subtitles: 2, encoding: 'windows-1251' }
    expect(listFacts({ operation_key: 'subtitles' }, resultOf(body), {}).slice(1)).toEqual([
      { label: 'Subtitles', value: '2' },
      { label: 'Text encoding', value: 'windows-1251' },
    ])
  })

  test('say why nothing was copied', () => {
    const body = { encode_mode: 'encode', encode_reason: 'estimate' }
    expect(listFacts({ operation_key: 'trim' }, resultOf(body), {}).slice(1)).toEqual([
      { label: 'Encoding', value: 'Encoded' },
      { label: 'Why nothing was copied', value: 'Encoding is about as fast' },
    ])
    for (const encode_reason of ENCODE_REASONS)
      expect(listFacts(COMPRESS, resultOf({ encode_reason }), {}), encode_reason).toHaveLength(2)
  })

  test('skip fields and values that this page does not know', () => {
    const body = {
      encode_mode: 'telepathy',
      encode_reason: 'laziness',
      sparkle: 7,
      width: null,
      language: 'not a code',
      words: 'many',
    }
    expect(listFacts(COMPRESS, resultOf(body), {})).toEqual([{ label: 'Size', value: '1 MB' }])
  })

  test('are in the language of the page', () => {
    locale.value = 'uk'
    const facts = listFacts(
      { operation_key: 'device_meta' },
      resultOf({ user_data_removed: 3, language: 'en' }),
      {},
    )
    expect(facts.slice(1)).toEqual([
      { label: 'Дані камери в потоці', value: 'Перезаписано 3 записи' },
      { label: 'Мова', value: 'англійська' },
      { label: 'Метадані', value: 'Замінено' },
    ])
  })

  test('report removed metadata', () => {
    for (const operation_key of ['strip_meta', 'strip_metadata'] as const) {
      expect(listFacts({ operation_key }, resultOf({}), {}).at(-1)).toEqual({
        label: 'Metadata',
        value: 'Removed',
      })
    }
  })
})

test('notes say what users may not expect', () => {
  expect(listNotes(resultOf({ missing_seconds: 12.34, input_kept: true, frames_dropped: 1 }))).toEqual([
    'The input file is truncated. 12.3 sec of it are missing.',
    'The input was kept as it is, because encoding it again would make it larger.',
    'The result does not contain 1 frame or page of the input.',
  ])
  expect(listNotes(resultOf({ frames_dropped: 0 }))).toEqual([])
})

test.each([
  [1000, 260, 'smaller', 740, 0.74],
  [1000, 1500, 'larger', 500, 0.5],
  [1000, 999, 'same', 1, 0.001],
  [0, 10, 'same', 10, 0],
])('from %d to %d bytes is %s', (before, after, kind, bytes, fraction) => {
  expect(compareSizes(before, after)).toEqual({ kind, bytes, fraction })
})

test.each([
  ['image/jpeg', 'image'],
  ['application/x-subrip', 'text'],
  ['application/json', 'text'],
  ['text/vtt', 'text'],
  ['application/zip', 'other'],
])('%s is shown as %s', (content_type, kind) => {
  expect(kindOfContent(content_type)).toBe(kind)
})

test('shapes are compared up to the rounding of their sizes', () => {
  expect(haveSameShape({ width: 4000, height: 3000 }, { width: 321, height: 240 })).toBe(true)
  expect(haveSameShape({ width: 4000, height: 3000 }, { width: 1080, height: 1080 })).toBe(false)
})
