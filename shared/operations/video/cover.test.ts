import { describe, expect, test } from 'vitest'
import { sampleProbe } from '../../planning/sample-facts.ts'
import type { FfmpegStep, TextStep } from '../../planning/steps.ts'
import { cover } from './cover.ts'

function planCover(params: Record<string, unknown>, probe = sampleProbe()) {
  return cover.plan({ params: cover.parameters.parse(params), facts: { probe } })
}

function stepsOf(
  params: Record<string, unknown>,
  probe = sampleProbe(),
): { text?: TextStep; still: FfmpegStep } {
  const plan = planCover(params, probe)
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  const text = plan.steps.find((step) => step.kind === 'text')
  const still = plan.steps.at(-1)
  if (still?.kind !== 'ffmpeg') throw new Error('cover runs ffmpeg')
  return text === undefined ? { still } : { text, still }
}

describe('the selected frame', () => {
  test.each([
    [{}, 'concat=n=4[frame]'],
    [
      { at: 3 },
      'eof_action=pass,setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709,scale=1280:720,setsar=1[frame]',
    ],
    [
      { smart: false },
      'eof_action=pass,setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709,scale=1280:720,setsar=1[frame]',
    ],
    [{ at: 3, smart: true }, 'concat=n=4[frame]'],
  ])('is selected by %j', (params, part) => {
    expect(stepsOf(params).still.filter_graph).toContain(part)
  })

  test('is refused at or beyond the end', () => {
    expect(planCover({ at: 11 })).toMatchObject({ refused: { field: 'at' } })
  })
})

test.each([
  ['youtube', 1080, 1920, "crop='max(2,iw*1.000000)':'max(2,ih*0.316406)':", ',scale=1280:720,setsar=1'],
  ['vertical', 1920, 1080, "crop='max(2,iw*0.316406)':'max(2,ih*1.000000)':", ',scale=1080:1920,setsar=1'],
  ['square', 1920, 1080, "crop='max(2,iw*0.562500)':'max(2,ih*1.000000)':", ',scale=1080:1080,setsar=1'],
  ['square', 16, 1600, "crop='max(2,iw*1.000000)':'max(2,ih*0.010000)':", ',scale=1080:1080,setsar=1'],
  ['original', 640, 360, 'setparams=', ',scale=640:360,setsar=1'],
])('%s of %i x %i', (size, width, height, crop, scale) => {
  const { filter_graph } = stepsOf({ size, at: 1 }, sampleProbe({}, { width, height })).still
  expect(filter_graph).toContain(scale)
  expect(filter_graph).toContain(crop)
})

test.each([
  ['jpg', 'cover.jpg'],
  ['jpeg', 'cover.jpg'],
  ['png', 'cover.png'],
  ['webp', 'cover.webp'],
])('%s is written as %s', (format, file) => {
  expect(stepsOf({ format }).still.output.file).toBe(file)
})

describe('the text overlay', () => {
  test('is omitted, with its shade, if the text is empty', () => {
    const { text, still } = stepsOf({ title: ' \n ' })
    expect(text).toBeUndefined()
    expect(still.filter_graph).not.toContain('ass=')
    expect(still.filter_graph).not.toContain('geq')
  })

  test('is written to a file, with the title above the subtitle', () => {
    const { text, still } = stepsOf({
      title: 'Über {uns}',
      subtitle: "it's:50%,[x]",
      subtitle_color: 'yellow',
    })
    expect(still.filter_graph).toContain(`ass=${text?.file}`)
    expect(still.filter_graph).not.toMatch(/uns|50%/)
    expect(text?.content).toContain("{\\rs0}Über \\{uns\\}\\N{\\rs1}it's:50%,[x]")
    expect(text?.content).toContain('&H0000FFFF')
  })

  test('is drawn on the selected frame', () => {
    const { still } = stepsOf({ title: 'x', at: 1 })
    const graph = still.filter_graph ?? ''
    for (const pad of graph.match(/\[(cover\d|frame)\]/g) ?? [])
      expect([pad, graph.split(pad).length - 1]).toEqual([pad, 2])
  })

  test.each([
    ['bl', '\\an1', "a='178.5*pow(clip(1-(1-Y/H)/0.75,0,1),1.3)'"],
    ['tr', '\\an9', "a='178.5*pow(clip(1-(Y/H)/0.75,0,1),1.3)'"],
    ['l', '\\an4', "a='178.5*pow(clip(1-(X/W)/0.75,0,1),1.3)'"],
  ])('at %s has a shade on its side', (position, anchor, shade) => {
    const { text, still } = stepsOf({ title: 'x', position })
    expect(text?.content).toContain(anchor)
    expect(still.filter_graph).toContain(shade)
  })
})
