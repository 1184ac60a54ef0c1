import { describe, expect, test } from 'vitest'
import type { AssetFacts } from '../../planning/facts.ts'
import type { Plan } from '../../planning/operation.ts'
import { sampleProbe } from '../../planning/sample-facts.ts'
import { validateParams } from '../../planning/validate.ts'
import { watermark } from './watermark.ts'

const LOGO = 'https://example.com/logo.png'
const logo: AssetFacts = { file: 'asset-0-logo_url', width: 400, height: 200, duration_seconds: 0 }

function planOf(params: Record<string, unknown>, probe = sampleProbe()): Plan {
  const assets: Record<string, AssetFacts> = params.logo_url === undefined ? {} : { logo_url: logo }
  const plan = watermark.plan({ params: watermark.parameters.parse(params), facts: { probe, assets } })
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  return plan
}

function graphOf(plan: Plan): string {
  const step = plan.steps.at(-1)
  if (step?.kind !== 'ffmpeg') throw new Error('watermark runs ffmpeg')
  return step.filter_graph ?? ''
}

describe('params without content, or with both contents', () => {
  test.each([
    [{}, 'text', 'text: nothing to draw. Set text or logo_url'],
    [{ text: ' \n\u200b' }, 'text', 'text: nothing to draw. Set text or logo_url'],
    [{ text: 'a', logo_url: LOGO }, 'logo_url', 'logo_url: cannot be combined with text'],
    [{ text: 'a', color: 'red@0.1' }, 'color', 'color: must be a color such as #ffcc00, #fc0 or white'],
  ])('%j is refused', (params, field, message) => {
    expect(validateParams({ ...watermark, service: 'video' }, params)).toMatchObject({ refused: { field } })
    expect(JSON.stringify(validateParams({ ...watermark, service: 'video' }, params))).toContain(
      message.slice(0, 30),
    )
  })

  test.each(['file:///etc/passwd', 'ftp://example.com/a.png', 'not an address'])(
    'refuses %s as a logo',
    (logo_url) => {
      expect(validateParams({ ...watermark, service: 'video' }, { logo_url })).toMatchObject({
        refused: { field: 'logo_url' },
      })
    },
  )
})

describe('a text watermark', () => {
  test('is passed to ffmpeg only as a file', () => {
    const text = 'It\'s [in]; {\\b1} : 50% \\\n"file=x",drawbox'
    const plan = planOf({ text })
    const [script] = plan.steps
    if (script?.kind !== 'text') throw new Error('the script comes first')
    expect(graphOf(plan)).toContain(`scale=1920:1080,setsar=1,ass=${script.file}`)
    expect(graphOf(plan)).not.toContain('drawbox')
    expect(script.content).toContain('drawbox')
    expect(plan.encode_mode).toBe('encode')
  })

  test('has its own file for each text in a pipeline', () => {
    const fileOf = (text: string) => planOf({ text }).steps[0]
    expect(fileOf('one')).not.toEqual(fileOf('two'))
  })

  test.each([
    ['br', '\\an3\\pos(1862.4,1022.4)'],
    ['tl', '\\an7\\pos(57.6,57.6)'],
    ['c', '\\an5\\pos(960,540)'],
    ['t', '\\an8\\pos(960,57.6)'],
  ])('at %s', (position, place) => {
    expect(JSON.stringify(planOf({ text: 'x', position }).steps[0])).toContain(
      JSON.stringify(place).slice(1, -1),
    )
  })

  test('is drawn as a layer if it contains emoji, because libass cannot color them', () => {
    const plan = planOf({ text: 'Hello 😀', position: 'c', tiled: false, size: 25, margin: 2 })
    const [layer, step] = plan.steps
    expect(layer).toMatchObject({
      kind: 'layer',
      overlay: {
        content: { kind: 'text', text: 'Hello 😀', color: '#ffffff' },
        ...{ canvas: { width: 1920, height: 1080 }, width: 480, margin: 38, place: 'c' },
      },
      output: { file: expect.stringMatching(/^text-[0-9a-f]{8}\.png$/) },
    })
    const file = layer !== undefined && 'output' in layer ? layer.output.file : ''
    expect(step).toMatchObject({ inputs: [{ file: 'source' }, { file }] })
    expect(graphOf(plan)).toContain('overlay=x=0:y=0')
  })

  test('is tiled up to a maximum', () => {
    const [script] = planOf(
      { text: 'x', tiled: true, size: 1 },
      sampleProbe({}, { width: 3840, height: 2160 }),
    ).steps
    const count = JSON.stringify(script).split('Dialogue').length - 1
    expect(count).toBeGreaterThan(100)
    expect(count).toBeLessThan(500)
  })
})

describe('a logo', () => {
  test('is resized to a PNG by sharp, then overlaid', () => {
    const plan = planOf({ logo_url: LOGO, size: 25, position: 'tr', margin: 2, opacity: 0.5 })
    const [image, step] = plan.steps
    expect(image).toMatchObject({
      kind: 'image',
      input: 'asset-0-logo_url',
      actions: [{ action: 'resize', width: 480, height: 240, fit: 'fill' }],
      output: { file: 'asset-0-logo_url-480x240.png', format: 'png' },
    })
    expect(step).toMatchObject({
      inputs: [
        { file: 'source' },
        {
          file: 'asset-0-logo_url-480x240.png',
          options: ['-format_whitelist', 'png_pipe', '-f', 'png_pipe'],
        },
      ],
    })
    expect(graphOf(plan)).toContain('colorchannelmixer=aa=0.5')
    expect(graphOf(plan)).toContain('overlay=x=1402:y=38')
  })

  test('is narrowed if it would exceed the height of the video', () => {
    const strip = sampleProbe({}, { width: 1920, height: 200 })
    const [image] = planOf({ logo_url: LOGO, size: 100 }, strip).steps
    expect(image).toMatchObject({ actions: [{ width: 170, height: 85 }] })
  })

  test('is requested by its URL', () => {
    const params = watermark.parameters.parse({ logo_url: LOGO })
    expect(watermark.assets?.(params)).toEqual([{ name: 'logo_url', url: LOGO, kind: 'image' }])
  })
})
