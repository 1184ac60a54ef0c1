import fc from 'fast-check'
import { expect, test } from 'vitest'
import { circle } from '../operations/image/circle.ts'
import { crop } from '../operations/image/crop.ts'
import { resize } from '../operations/image/resize.ts'
import { social } from '../operations/image/social.ts'
import { transform } from '../operations/image/transform.ts'
import { sampleImage } from '../planning/sample-facts.ts'

type Edited = typeof crop | typeof resize | typeof circle | typeof social | typeof transform

function editOf(operation: Edited, params: Record<string, unknown>, image = sampleImage()) {
  const edit = operation.edit?.({ params: operation.parameters.parse(params) as never, facts: { image } })
  if (edit === undefined || !('actions' in edit)) throw new Error('refused')
  return edit
}

test.each([
  [{}, { left: 500, top: 0, width: 3000, height: 3000 }],
  [{ gravity: 'left' }, { left: 0, top: 0, width: 3000, height: 3000 }],
  [{ gravity: 'right' }, { left: 1000, top: 0, width: 3000, height: 3000 }],
  [{ crop_aspect: '16:9' }, { left: 0, top: 375, width: 4000, height: 2250 }],
  [
    { crop_aspect: '16:9', gravity: 'top' },
    { left: 0, top: 0, width: 4000, height: 2250 },
  ],
  [
    { crop_aspect: '16:9', gravity: 'bottom' },
    { left: 0, top: 750, width: 4000, height: 2250 },
  ],
  [{ crop_aspect: '4:3' }, { left: 0, top: 0, width: 4000, height: 3000 }],
  [{ crop_aspect: '21:9' }, { left: 0, top: 643, width: 4000, height: 1714 }],
  [
    { crop_aspect: 'free', left: 10, top: 20, width: 301, height: 203, gravity: 'left' },
    { left: 10, top: 20, width: 301, height: 203 },
  ],
  [
    { crop_aspect: 'free', left: 3999, width: 1, height: 3000 },
    { left: 3999, top: 0, width: 1, height: 3000 },
  ],
])('crops 4000 x 3000 by %j', (params, area) => {
  expect(editOf(crop, params)).toMatchObject({
    actions: [{ action: 'crop', ...area }],
    after: { width: area.width, height: area.height },
  })
})

test.each([
  [{ left: 3999, width: 2, height: 1 }, 'width'],
  [{ top: 1, width: 1, height: 3000 }, 'height'],
])('refuses an area beyond 4000 x 3000: %j', (area, field) => {
  const params = crop.parameters.parse({ crop_aspect: 'free', ...area })
  const edit = crop.edit?.({ params: params as never, facts: { image: sampleImage() } })
  expect(edit).toMatchObject({ refused: { field } })
})

test.each([
  [{ width: 5 }, 'height'],
  [{ height: 5 }, 'width'],
  [{ width: 0, height: 5 }, 'width'],
  [{ width: 5, height: 5, left: -1 }, 'left'],
])('refuses a free crop of %j', (area, field) => {
  const parsed = crop.parameters.safeParse({ crop_aspect: 'free', ...area })
  expect(parsed.error?.issues.map(({ path }) => path[0])).toEqual([field])
})

test('cuts out a circle at the requested position and size, on transparency or a color', () => {
  expect(editOf(circle, { diameter: 512, zoom: 2, offset_x: 1, offset_y: -1 })).toMatchObject({
    actions: [
      { action: 'crop', left: 2500, top: 0, width: 1500, height: 1500 },
      { action: 'resize', width: 512, height: 512, fit: 'fill' },
      { action: 'circle', diameter: 512, background: null },
    ],
    output: { format: 'png' },
    after: { width: 512, height: 512, has_alpha: true },
  })
  const colored = editOf(circle, { bg_color: '#fff' })
  expect(colored.actions[2]).toMatchObject({ diameter: 3000, background: '#ffffff' })
  expect(colored.output).toEqual({})
  expect(editOf(circle, {}, sampleImage({ format: 'gif', pages: 5 })).output).toEqual({})
})

test('keeps crop and circle areas within the image', () => {
  const side = fc.integer({ min: 1, max: 20_000 })
  const offset = fc.double({ min: -1, max: 1, noNaN: true })
  const zoom = fc.double({ min: 1, max: 10, noNaN: true })
  const aspect = fc.constantFrom('1:1', '4:5', '21:9', '9:16')
  fc.assert(
    fc.property(side, side, offset, zoom, aspect, (width, height, offset_x, zoomed, crop_aspect) => {
      const image = sampleImage({ width, height })
      const edits = [
        editOf(crop, { crop_aspect, gravity: 'right' }, image),
        editOf(circle, { offset_x, offset_y: -offset_x, zoom: zoomed }, image),
      ]
      for (const { actions } of edits) {
        const [area] = actions
        if (area?.action !== 'crop') throw new Error('no crop')
        expect(Math.min(area.left, area.top)).toBeGreaterThanOrEqual(0)
        expect(Math.min(area.width, area.height)).toBeGreaterThanOrEqual(1)
        expect(area.left + area.width).toBeLessThanOrEqual(width)
        expect(area.top + area.height).toBeLessThanOrEqual(height)
      }
    }),
    { seed: 1 },
  )
})

test.each([
  [{ rotate: 90 }, 3000, 4000, false],
  [{ rotate: 180 }, 4000, 3000, false],
  [{ rotate: 45 }, 4950, 4950, true],
  [{ rotate: 45, bg_color: 'black' }, 4950, 4950, false],
  [{ flip: 'h' }, 4000, 3000, false],
])('transforms by %j', (params, width, height, has_alpha) => {
  expect(editOf(transform, params)).toMatchObject({ after: { width, height, has_alpha } })
})

test('flips before it rotates', () => {
  expect(editOf(transform, { rotate: 10, flip: 'v' }).actions).toEqual([
    { action: 'flip', axis: 'v' },
    { action: 'rotate', degrees: 10, background: null },
  ])
})

test.each([
  ['webp', 'fit', 'jpeg', false],
  ['webp', 'fill', 'png', true],
  ['png', 'fit', 'png', false],
  ['gif', 'fit', 'gif', false],
])(
  'social of a transparent %s with resize_mode %s is a %s, transparent: %s',
  (format, resize_mode, made, has_alpha) => {
    expect(editOf(social, { resize_mode }, sampleImage({ format, has_alpha: true }))).toMatchObject({
      output: { format: made },
      after: { has_alpha },
    })
  },
)

test.each([
  [{}, 'jpeg', 'cover', 'jpeg', 90],
  [{ resize_mode: 'exact' }, 'png', 'fill', 'png', null],
  [{ resize_mode: 'fit' }, 'webp', 'contain', 'jpeg', 90],
  [{}, 'heic', 'cover', 'jpeg', 90],
  [{}, 'gif', 'cover', 'gif', null],
])('social %j of a %s', (params, input, fit, format, quality) => {
  expect(editOf(social, params, sampleImage({ format: input }))).toMatchObject({
    actions: [{ action: 'resize', width: 1080, height: 1080, fit }],
    output: { format, quality },
    metadata: { strip: 'all' },
  })
})

test.each([
  [crop, { crop_aspect: '16:9', gravity: 'auto' }, { width: 4000, height: 2250, keep: 'attention' }],
  [crop, { crop_aspect: '1:1', gravity: 'entropy' }, { width: 3000, height: 3000, keep: 'entropy' }],
  [
    resize,
    { width: 300, height: 300, resize_mode: 'fill', gravity: 'auto' },
    { width: 300, height: 300, keep: 'attention' },
  ],
] as const)(
  '$key by %j leaves the position to the executor, and refuses animations',
  (operation, params, size) => {
    expect(editOf(operation, params).actions).toEqual([{ action: 'resize', fit: 'cover', ...size }])
    const plan = {
      params: operation.parameters.parse(params) as never,
      facts: { image: { ...sampleImage(), pages: 2 } },
    }
    expect(operation.edit?.(plan)).toMatchObject({ refused: { field: 'gravity' } })
  },
)
