import { expect, test } from 'vitest'
import { planDecoding } from '../../images/decoding.ts'
import { sampleImage } from '../../planning/sample-facts.ts'
import { convert } from './convert.ts'

function planConvert(params: Record<string, unknown>, image = sampleImage()) {
  return convert.plan({ params: convert.parameters.parse(params), facts: { image } })
}

test.each([
  [{}, { file: 'converted.webp', format: 'webp', quality: null, max_bytes: null }],
  [
    { format: 'jpeg', quality: 70 },
    { file: 'converted.jpg', format: 'jpeg', quality: 70, max_bytes: null, is_compact: true },
  ],
  [
    { format: 'avif', max_kb: 100 },
    { file: 'converted.avif', format: 'avif', quality: null, max_bytes: 102_400 },
  ],
  [
    { format: 'png', quality: 100, max_kb: 1 },
    { file: 'converted.png', format: 'png', quality: 100, max_bytes: 1024 },
  ],
])('converts by %j', (params, output) => {
  expect(planConvert(params)).toEqual({
    encode_mode: null,
    steps: [{ kind: 'image', input: 'source', actions: [], output }],
    outputs: [{ file: output.file }],
  })
})

test.each([
  ['avif', { frames_dropped: 11 }],
  ['jpeg', { frames_dropped: 11 }],
  ['png', { frames_dropped: 11 }],
  ['webp', undefined],
])('an animation converted to %s reports dropped frames: %j', (format, body) => {
  const plan = planConvert({ format }, sampleImage({ format: 'gif', pages: 12 }))
  expect(plan).toMatchObject({ steps: [{ kind: 'image' }] })
  expect('body' in plan ? plan.body : undefined).toEqual(body)
})

test.each([
  ['png', { format: 'tiff', unread_pages: 2 }, { frames_dropped: 2 }],
  ['webp', { format: 'tiff', unread_pages: 2 }, { frames_dropped: 2 }],
  ['png', { format: 'tiff' }, undefined],
])('%s of %j reports the number of unread pages: %j', (format, image, body) => {
  const plan = planConvert({ format }, sampleImage(image))
  expect('body' in plan ? plan.body : undefined).toEqual(body)
})

test.each([
  ['webp', 'avif', 12],
  ['jpeg', 'avif', 1],
  ['gif', 'png', 12],
] as const)('for an animation to %s: an animated %s decodes %i frames first', (format, container, frames) => {
  const sequence = { container, color_stream: 0, alpha_stream: null, loop: 0, duration_ms: 1200 }
  const image = sampleImage({ format: container, pages: 12, sequence })
  const plan = planDecoding(image, 'source', format)
  expect(plan).toMatchObject({
    steps: [{ kind: 'sequence', input: 'source', frames }],
    source: { input: 'frames.webp', decoded_from: 'source' },
  })
})

test('an animated AVIF beyond the pixel limit converts to a still image, but not to an animation', () => {
  const sequence = {
    container: 'avif',
    color_stream: 0,
    alpha_stream: null,
    loop: 0,
    duration_ms: 1200,
  } as const
  const image = sampleImage({ format: 'avif', width: 1920, height: 1080, pages: 500, sequence })
  expect(planConvert({ format: 'jpeg' }, image)).toMatchObject({ body: { frames_dropped: 499 } })
  expect(planConvert({ format: 'webp' }, image)).toMatchObject({
    refused: {
      message: expect.objectContaining({
        en: expect.stringContaining('in 500 frames, but the limit is 268 megapixels'),
      }),
    },
  })
})

test('plans no decoding of frames when an animated PNG becomes a still image', () => {
  const sequence = {
    container: 'png',
    color_stream: 0,
    alpha_stream: null,
    loop: 0,
    duration_ms: 1200,
  } as const
  const image = sampleImage({ format: 'png', pages: 12, sequence })
  expect(planDecoding(image, 'source', 'jpeg')).toEqual({ steps: [], source: { input: 'source' } })
})

test('refuses an image that the output format does not support', () => {
  expect(planConvert({ format: 'webp' }, sampleImage({ width: 17_000 }))).toMatchObject({
    refused: { field: 'format', message: expect.objectContaining({ en: expect.stringContaining('16383') }) },
  })
  expect(planConvert({ format: 'png' }, sampleImage({ width: 17_000 }))).toHaveProperty('steps')
})

test.each([
  ['jpeg', true, { alpha_dropped: true }],
  ['jpeg', false, undefined],
  ['png', true, undefined],
] as const)('converting to %s an image with has_alpha %j reports %j', (format, has_alpha, body) => {
  const image = { format: 'webp', width: 640, height: 480, pages: 1, has_alpha }
  const plan = planConvert({ format }, image)
  expect('body' in plan ? plan.body : undefined).toEqual(body)
})
