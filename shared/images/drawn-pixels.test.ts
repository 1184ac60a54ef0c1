import { expect, test } from 'vitest'
import { type StageSpec, stageOf } from '../operations/sample-stages.ts'
import { planPipeline } from '../planning/pipeline.ts'
import { sampleFacts, sampleImage } from '../planning/sample-facts.ts'
import { DRAWN_PIXELS_MAX } from './drawn-pixels.ts'

const exact = (width: number, height: number): StageSpec => [
  'resize',
  { width, height, resize_mode: 'exact' },
]
const [small, huge] = [exact(16, 16), exact(16_000, 16_000)]
const blur: StageSpec = ['enhance', { blur: 2 }]

function refusalOf(image: Parameters<typeof sampleImage>[0], rest: readonly StageSpec[]) {
  const stages = [stageOf(['edit']), ...rest.map(stageOf)] as Parameters<typeof planPipeline>[0]
  const plan = planPipeline(stages, sampleFacts({ image: sampleImage(image) }))
  return 'refused' in plan ? plan.refused : null
}

test.each<[string, Parameters<typeof sampleImage>[0], StageSpec[], number | null]>([
  ['one enlargement to the largest size', {}, [huge], null],
  ['ten edits of a phone photo', { width: 8000, height: 6000 }, Array(10).fill(blur), null],
  [
    'four enlargements after reductions',
    { width: 16, height: 16 },
    [huge, small, huge, small, huge, small, huge],
    null,
  ],
  [
    'five enlargements after reductions',
    { width: 16, height: 16 },
    [huge, small, huge, small, huge, small, huge, small, huge],
    1280,
  ],
  ['edits that stay at the largest size', { width: 16_000, height: 16_000 }, [blur, blur, blur, blur], 1280],
  [
    'every frame of an animation',
    { format: 'gif', width: 1000, height: 1000, pages: 250 },
    Array(4).fill(blur),
    1250,
  ],
  [
    'one frame of an animation that becomes a still image',
    { format: 'gif', width: 1000, height: 1000, pages: 250 },
    [...Array<StageSpec>(4).fill(blur), ['convert', { format: 'jpeg' }]],
    null,
  ],
  ['metadata-only edits', { width: 16_000, height: 16_000 }, Array(9).fill(['strip_meta']), null],
])('limits the total pixels of all images in a pipeline: %s', (_name, image, stages, megapixels) => {
  const refused = refusalOf(image, stages)
  if (megapixels === null) return expect(refused).toBeNull()
  expect(refused?.field).toBe('operations')
  expect(refused?.message.en).toContain(`${megapixels} megapixels`)
  expect(refused?.message.en).toContain(`${Math.floor(DRAWN_PIXELS_MAX / 1_000_000)}`)
})
