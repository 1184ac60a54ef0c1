import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Operation } from '../../planning/operation.ts'
import { sampleImage } from '../../planning/sample-facts.ts'
import { validateParams } from '../../planning/validate.ts'
import { resize } from './resize.ts'

function planResize(params: Record<string, unknown>, image = sampleImage()) {
  return resize.plan({ params: resize.parameters.parse(params), facts: { image } })
}

function actionOf(params: Record<string, unknown>, image = sampleImage()) {
  const plan = planResize(params, image)
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  const [step] = plan.steps
  if (step?.kind !== 'image') throw new Error('resize is a step of images')
  const [action] = step.actions
  if (action === undefined) throw new Error('resize has an action')
  return action
}

describe('resizing 4000 x 3000', () => {
  test.each([
    [{ width: 1920, height: 1080 }, 1440, 1080, 'fill'],
    [{ width: 1000 }, 1000, 750, 'fill'],
    [{ height: 1000 }, 1333, 1000, 'fill'],
    [{ width: 8000 }, 8000, 6000, 'fill'],
    [{ width: 1920, height: 1080, resize_mode: 'fill' }, 1920, 1080, 'cover'],
    [{ width: 1000, resize_mode: 'fill' }, 1000, 750, 'cover'],
    [{ width: 1920, height: 1080, resize_mode: 'exact' }, 1920, 1080, 'fill'],
    [{ height: 300, resize_mode: 'exact' }, 400, 300, 'fill'],
    [{ resize_mode: 'scale', percent: 50 }, 2000, 1500, 'fill'],
    [{ resize_mode: 'scale', percent: 400 }, 16_000, 12_000, 'fill'],
    [{ resize_mode: 'scale', percent: 33.3, width: 16 }, 1332, 999, 'fill'],
  ])('%j makes %i x %i (%s)', (params, width, height, fit) => {
    expect(actionOf(params)).toEqual({ action: 'resize', width, height, fit })
  })
})

test('keeps at least one pixel per side of a thin strip', () => {
  expect(actionOf({ width: 16 }, sampleImage({ width: 5000, height: 2 }))).toMatchObject({
    width: 16,
    height: 1,
  })
})

test('refuses a result above 20000 pixels per side or above the limits of its format', () => {
  expect(planResize({ width: 20_000 }, sampleImage({ width: 100, height: 400 }))).toMatchObject({
    refused: {
      field: 'width',
      message: expect.objectContaining({ en: expect.stringContaining('20000 x 80000') }),
    },
  })
  expect(planResize({ resize_mode: 'scale', percent: 1000 })).toMatchObject({ refused: { field: 'percent' } })
  expect(planResize({ height: 17_000 }, sampleImage({ format: 'webp', width: 3000 }))).toMatchObject({
    refused: {
      field: 'height',
      message: expect.objectContaining({ en: expect.stringContaining('WEBP is limited to 16383') }),
    },
  })
})

test.each([
  [{ width: 20_000, height: 20_000, resize_mode: 'exact' }, true],
  [{ width: 20_000, height: 13_421, resize_mode: 'fill' }, true],
  [{ width: 20_000, height: 13_420, resize_mode: 'fill' }, false],
  [{ width: 20_000, height: 20_000 }, false],
  [{ width: 20_000, resize_mode: 'exact' }, false],
])('refuses %j by itself because it exceeds the pixel limit: %s', (params, is_refused) => {
  const checked = validateParams(resize as unknown as Operation, params)
  expect('refused' in checked && checked.refused.field === 'width').toBe(is_refused)
})

test('refuses at planning a result that exceeds the limit because of the aspect ratio', () => {
  const square = sampleImage({ width: 100, height: 100 })
  for (const [params, field] of [
    [{ width: 20_000, height: 20_000 }, 'width'],
    [{ width: 17_000 }, 'width'],
    [{ height: 17_000 }, 'height'],
    [{ resize_mode: 'scale', percent: 500 }, 'percent'],
  ] as const) {
    expect(planResize(params, field === 'percent' ? sampleImage() : square)).toMatchObject({
      refused: {
        field,
        message: expect.objectContaining({ en: expect.stringMatching(/limit (is|of) 268 megapixels/) }),
      },
    })
  }
})

test('keeps format and frames of an animation', () => {
  const animation = sampleImage({ format: 'gif', width: 400, height: 300, pages: 12 })
  expect(planResize({ width: 200 }, animation)).toEqual({
    encode_mode: null,
    steps: [
      {
        kind: 'image',
        input: 'source',
        actions: [{ action: 'resize', width: 200, height: 150, fit: 'fill' }],
        output: { file: 'resized.gif', format: 'gif', quality: null, max_bytes: null },
      },
    ],
    outputs: [{ file: 'resized.gif' }],
  })
})

test('fit stays within the requested size, reaches it on one side, and keeps the aspect ratio', () => {
  const requested = fc.integer({ min: 16, max: 16_383 })
  const side = fc.integer({ min: 1, max: 10_000 })
  fc.assert(
    fc.property(requested, requested, side, side, (width, height, image_width, image_height) => {
      const size = actionOf({ width, height }, sampleImage({ width: image_width, height: image_height }))
      if (size.action !== 'resize' || size.width === null || size.height === null) throw new Error('no size')
      expect(size.width).toBeLessThanOrEqual(width)
      expect(size.height).toBeLessThanOrEqual(height)
      expect(size.width === width || size.height === height).toBe(true)
      const scale = Math.min(width / image_width, height / image_height)
      expect(Math.abs(size.width - image_width * scale)).toBeLessThanOrEqual(1)
      expect(Math.abs(size.height - image_height * scale)).toBeLessThanOrEqual(1)
    }),
    { seed: 1 },
  )
})
