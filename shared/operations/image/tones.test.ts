import { expect, test } from 'vitest'
import { sampleImage } from '../../planning/sample-facts.ts'
import { compress } from './compress.ts'
import { enhance } from './enhance.ts'
import { watermark } from './watermark.ts'
import { web_optimize } from './web_optimize.ts'

const image = sampleImage()

test.each([
  [{ autocontrast: true }, [{ action: 'autocontrast' }]],
  [{ blur: 3 }, [{ action: 'blur', radius: 3 }]],
  [{ grayscale: true }, [{ action: 'color', brightness: 1, contrast: 1, saturation: 0 }]],
  [{ grayscale: true, saturation: 3 }, [{ action: 'color', brightness: 1, contrast: 1, saturation: 0 }]],
  [
    { contrast: 2, sharpness: 0, autocontrast: true },
    [
      { action: 'autocontrast' },
      { action: 'sharpness', factor: 0 },
      { action: 'color', brightness: 1, contrast: 2, saturation: 1 },
    ],
  ],
])('enhances by %j', (params, actions) => {
  expect(enhance.edit?.({ params: enhance.parameters.parse(params), facts: { image } })).toMatchObject({
    actions,
    after: image,
  })
})

test('compress keeps the format, and is never larger unless a quality is requested', () => {
  const outputs = [{}, { quality: 90 }, { format: 'webp', max_kb: 10 }].map((params) => {
    const edit = compress.edit?.({ params: compress.parameters.parse(params), facts: { image } })
    return edit && 'output' in edit ? edit.output : null
  })
  const always = { is_compact: true, similarity_min: null }
  expect(outputs).toEqual([
    { ...always, quality: 75, max_bytes: null, never_larger: true },
    { ...always, quality: 90, max_bytes: null, never_larger: false },
    { ...always, format: 'webp', quality: 75, max_bytes: 10_240, never_larger: true },
  ])
})

test('web_optimize writes WebP and refuses sizes that WebP does not support', () => {
  const params = web_optimize.parameters.parse({})
  expect(web_optimize.plan({ params, facts: { image } })).toMatchObject({
    outputs: [{ file: 'optimized.webp' }],
    steps: [{ output: { quality: null, never_larger: true, similarity_min: 0.97 } }],
  })
  const wide = sampleImage({ width: 20_000 })
  expect(web_optimize.plan({ params, facts: { image: wide } })).toMatchObject({
    refused: { field: 'format' },
  })
})

test('sizes a watermark by the image and draws its text literally', () => {
  const params = watermark.parameters.parse({
    text: '<b>&amp;',
    color: 'red',
    size: 50,
    margin: 1,
    position: 'tl',
  })
  expect(watermark.edit?.({ params, facts: { image, assets: {} } })).toMatchObject({
    actions: [
      {
        action: 'overlay',
        content: { kind: 'text', text: '<b>&amp;', color: '#ff0000' },
        canvas: { width: 4000, height: 3000 },
        ...{ width: 2000, margin: 40, place: 'tl', tiled: false },
      },
    ],
  })
})

test('requests a logo as an asset, and refuses the job if it is missing', () => {
  const params = watermark.parameters.parse({ logo_url: 'https://example.org/logo.png' })
  expect(watermark.assets?.(params)).toEqual([
    { name: 'logo_url', url: 'https://example.org/logo.png', kind: 'image' },
  ])
  expect(watermark.edit?.({ params, facts: { image, assets: {} } })).toMatchObject({
    refused: { field: 'logo_url' },
  })
  const logo = { file: 'asset-0', width: 300, height: 200, duration_seconds: 0 }
  expect(watermark.edit?.({ params, facts: { image, assets: { logo_url: logo } } })).toMatchObject({
    actions: [{ content: { kind: 'image', file: 'asset-0' } }],
  })
})
