import { expect, test } from 'vitest'
import { sampleImage } from '../sample-facts.ts'
import { convert } from './convert.ts'

function planConvert(params: Record<string, unknown>, image = sampleImage()) {
  return convert.plan({ params: convert.parameters.parse(params), facts: { image } })
}

test.each([
  [{}, { file: 'converted.webp', format: 'webp', quality: null, max_bytes: null }],
  [
    { format: 'jpeg', quality: 70 },
    { file: 'converted.jpg', format: 'jpeg', quality: 70, max_bytes: null },
  ],
  [
    { format: 'avif', max_kb: 100 },
    { file: 'converted.avif', format: 'avif', quality: null, max_bytes: 102_400 },
  ],
  [
    { format: 'png', quality: 100, max_kb: 1 },
    { file: 'converted.png', format: 'png', quality: 100, max_bytes: 1024 },
  ],
])('%j', (params, output) => {
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
])('an animation as %s tells how many frames it lost: %j', (format, body) => {
  const plan = planConvert({ format }, sampleImage({ format: 'gif', pages: 12 }))
  expect(plan).toMatchObject({ steps: [{ kind: 'image' }] })
  expect('body' in plan ? plan.body : undefined).toEqual(body)
})

test('a picture that the format cannot hold is refused', () => {
  expect(planConvert({ format: 'webp' }, sampleImage({ width: 17_000 }))).toMatchObject({
    refused: { field: 'format', message: expect.stringContaining('16383') },
  })
  expect(planConvert({ format: 'png' }, sampleImage({ width: 17_000 }))).toHaveProperty('steps')
})
