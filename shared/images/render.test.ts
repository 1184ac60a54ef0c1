import { describe, expect, test } from 'vitest'
import { type StageSpec, stageOf } from '../operations/sample-stages.ts'
import type { ImageFacts } from '../planning/facts.ts'
import { planPipeline } from '../planning/pipeline.ts'
import { sampleFacts, sampleImage } from '../planning/sample-facts.ts'

function planStages(image: Partial<ImageFacts>, first: StageSpec, ...others: StageSpec[]) {
  const facts = sampleFacts({ image: sampleImage(image) })
  return planPipeline([stageOf(first), ...others.map(stageOf)], facts)
}

function stepsOf(...specs: Parameters<typeof planStages>) {
  const plan = planStages(...specs)
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  return plan.steps
}

test('runs edits as one sharp pipeline, each at the size left by the previous one', () => {
  const steps = stepsOf({}, ['edit'], ['resize', { width: 1000 }], ['crop'], ['convert', { format: 'avif' }])
  expect(steps).toEqual([
    {
      kind: 'image',
      input: 'source',
      actions: [
        { action: 'resize', width: 1000, height: 750, fit: 'fill' },
        { action: 'crop', left: 125, top: 0, width: 750, height: 750 },
      ],
      output: { file: 'edited.avif', format: 'avif', quality: null, max_bytes: null },
    },
  ])
})

test('the last edit that sets an output field takes precedence', () => {
  const [step] = stepsOf({}, ['compress', { quality: 40, format: 'webp' }], ['resize', { width: 100 }])
  expect(step).toMatchObject({ output: { format: 'webp', quality: 40 } })
})

test('refuses edit without further operations', () => {
  expect(planStages({}, ['edit'])).toMatchObject({ refused: { field: 'operations' } })
})

test.each([
  ['edit', 'edit'],
  ['resize', 'edit'],
  ['edit', 'resize', 'edit'],
])('%s then %s %s: refuses edit in the middle of a pipeline', (...keys) => {
  const [first, ...others] = keys.map((key): StageSpec => [key, key === 'resize' ? { width: 100 } : {}])
  if (first === undefined) throw new Error('no row')
  expect(planStages({}, first, ...others)).toMatchObject({
    refused: {
      field: 'operations',
      message: expect.objectContaining({ en: expect.stringContaining('it must be the first operation') }),
    },
  })
})

test('refuses images and animations beyond the pixel limit', () => {
  const large: StageSpec = ['resize', { width: 16_000, height: 12_000, resize_mode: 'exact' }]
  expect(stepsOf({}, large)).toHaveLength(1)
  for (const specs of [[large], [large, ['resize', { width: 16 }] as StageSpec]] as [
    StageSpec,
    ...StageSpec[],
  ][]) {
    const refusal = planStages({ format: 'gif', pages: 2 }, ...specs)
    expect(refusal).toMatchObject({
      refused: {
        message: expect.objectContaining({
          en: expect.stringContaining('in 2 frames, but the limit is 268'),
        }),
      },
    })
  }
})

test('decodes HEIC first and applies its orientation only once', () => {
  expect(stepsOf({ format: 'heic' }, ['resize', { width: 100 }])).toMatchObject([
    { kind: 'heic', input: 'source', output: { file: 'decoded.tif' } },
    {
      kind: 'image',
      input: 'decoded.tif',
      decoded_from: 'source',
      output: { file: 'resized.jpg', format: 'jpeg' },
    },
  ])
})

describe('metadata', () => {
  test('refuses device tags in a GIF unless it is converted', () => {
    const tag: StageSpec = ['device_meta', { preset: 'iphone_16_pro' }]
    const refused = {
      field: null,
      message: expect.objectContaining({ en: expect.stringContaining('GIF does not support') }),
    }
    expect(planStages({ format: 'gif' }, tag)).toMatchObject({ refused })
    expect(planStages({ format: 'gif' }, ['resize', { width: 16 }], tag)).toMatchObject({ refused })
    expect(stepsOf({ format: 'gif' }, ['convert', { format: 'jpeg' }], tag)).toHaveLength(2)
  })

  test.each([
    ['jpeg', 'stripped.jpg'],
    ['png', 'stripped.png'],
    ['webp', 'stripped.webp'],
    ['avif', 'stripped.avif'],
    ['heic', 'stripped.heic'],
    ['tiff', 'stripped.tif'],
    ['gif', 'stripped.gif'],
  ])('%s: does not re-encode if only metadata changes', (format, file) => {
    expect(stepsOf({ format }, ['strip_meta'])).toEqual([
      { kind: 'metadata', input: 'source', copy_from: null, strip: 'all', tags: {}, output: { file } },
    ])
  })

  test('plans no metadata removal for re-encoded images', () => {
    expect(stepsOf({}, ['resize', { width: 100 }], ['strip_meta'])).toHaveLength(1)
    expect(stepsOf({}, ['web_optimize'])).toHaveLength(1)
  })

  test('removes only the location, even from re-encoded images', () => {
    const gps = { metadata_mode: 'merge', strip_gps: true }
    expect(stepsOf({}, ['strip_meta', gps], ['resize', { width: 100 }])).toMatchObject([
      { kind: 'image', output: { file: 'pixels.jpg' } },
      { kind: 'metadata', input: 'pixels.jpg', copy_from: 'source', strip: ['place'] },
    ])
  })

  test('writes device tags last, unless a later edit removes metadata', () => {
    const device = { preset: 'canon_eos_r5' }
    const steps = stepsOf({}, ['device_meta', device], ['compress', { max_kb: 100 }])
    expect(steps).toMatchObject([
      { kind: 'image', output: { max_bytes: 98_304 } },
      { kind: 'metadata', copy_from: null, strip: 'all', tags: { 'IFD0:Model': 'Canon EOS R5' } },
    ])
    expect(stepsOf({}, ['device_meta', device], ['web_optimize'])).toHaveLength(1)
    const merged = stepsOf(
      {},
      ['strip_meta', { metadata_mode: 'merge', strip_gps: true }],
      ['device_meta', { ...device, metadata_mode: 'merge' }],
    )
    expect(merged).toMatchObject([
      { kind: 'metadata', copy_from: null, strip: ['place', 'device'], tags: { 'IFD0:Make': 'Canon' } },
    ])
  })
})
