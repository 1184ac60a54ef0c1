import { expect, test } from 'vitest'
import { type StageSpec, stageOf } from '../operations/sample-stages.ts'
import type { ImageFacts } from '../planning/facts.ts'
import { planPipeline } from '../planning/pipeline.ts'
import { sampleFacts, sampleImage } from '../planning/sample-facts.ts'

/** Returns the output settings of a pipeline. */
function outputOf(image: Partial<ImageFacts>, first: StageSpec, ...others: StageSpec[]) {
  const facts = sampleFacts({ image: sampleImage(image) })
  const plan = planPipeline([stageOf(first), ...others.map(stageOf)], facts)
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  const step = plan.steps.find(({ kind }) => kind === 'image')
  if (step?.kind !== 'image') throw new Error('no image is written')
  return step.output
}

const PNG: StageSpec = ['convert', { format: 'png' }]
const DEEP = { format: 'png', bits_per_channel: 16 } as const

test.each<[string, StageSpec[], { bits: 16 | undefined; profile: true | undefined }]>([
  ['converted', [PNG], { bits: 16, profile: true }],
  ['to a maximum size', [['convert', { format: 'png', max_kb: 900 }]], { bits: 16, profile: undefined }],
  ['to a palette', [['convert', { format: 'png', quality: 90 }]], { bits: undefined, profile: undefined }],
  ['resized', [['resize', { width: 100 }]], { bits: 16, profile: undefined }],
  ['turned', [['transform', { rotate: 20 }]], { bits: 16, profile: undefined }],
  [
    'cropped, then mirrored',
    [
      ['crop', {}],
      ['transform', { flip: 'h' }],
    ],
    { bits: 16, profile: undefined },
  ],
  ['with a text', [['watermark', { text: 'x' }]], { bits: undefined, profile: undefined }],
  ['for a web page', [['web_optimize', { format: 'png' }]], { bits: undefined, profile: undefined }],
  ['for a social network', [['social', {}]], { bits: undefined, profile: undefined }],
  ['for a web page, then converted', [['web_optimize'], PNG], { bits: undefined, profile: undefined }],
  ['smaller, then converted', [['compress'], PNG], { bits: 16, profile: true }],
  ['as JPEG', [['convert', { format: 'jpeg' }]], { bits: undefined, profile: undefined }],
])(
  'chooses bit depth and profile of a 16-bit PNG that is written %s',
  (_name, [first, ...others], { bits, profile }) => {
    if (first === undefined) throw new Error('no operation')
    const output = outputOf(DEEP, first, ...others)
    expect([output.bits_per_channel, output.keeps_profile]).toEqual([bits, profile])
  },
)

test('a later format or size overrides never_larger', () => {
  expect(outputOf({}, ['compress'], ['resize', { width: 100 }]).never_larger).toBe(true)
  for (const last of [PNG, ['social', {}], ['web_optimize', { quality: 80 }]] as const)
    expect(outputOf({}, ['compress'], [...last]).never_larger).toBeUndefined()
})

test('an 8-bit image keeps 8 bits and its profile', () => {
  const output = outputOf({ format: 'jpeg', bits_per_channel: 8 }, PNG)
  expect([output.bits_per_channel, output.keeps_profile]).toEqual([undefined, true])
})

test.each<[string, StageSpec, true | undefined]>([
  ['a photograph', ['convert', { format: 'jpeg' }], undefined],
  ['a photograph', ['convert', { format: 'avif' }], undefined],
  ['a photograph that is enlarged', ['resize', { width: 15_000 }], true],
  ['a panorama', ['convert', { format: 'jpeg' }], true],
  ['a panorama', ['convert', { format: 'avif' }], true],
  ['a panorama', ['convert', { format: 'png' }], undefined],
  ['a panorama that is reduced', ['resize', { width: 2000 }], undefined],
])('%s by %j saves memory: %s', (name, spec, saves_memory) => {
  const image = name.startsWith('a panorama') ? { width: 16_000, height: 6000 } : {}
  expect(outputOf(image, spec).saves_memory).toBe(saves_memory)
})
