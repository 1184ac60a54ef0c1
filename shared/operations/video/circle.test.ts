import { describe, expect, test } from 'vitest'
import { sampleProbe } from '../../planning/sample-facts.ts'
import { circle } from './circle.ts'

function editOf(params: Record<string, unknown>, probe = sampleProbe()) {
  const edit = circle.edit?.({ params: circle.parameters.parse(params), facts: { probe } })
  if (edit === undefined || 'refused' in edit || !('cut' in edit)) throw new Error('circle is an edit')
  return edit
}

function graphOf(params: Record<string, unknown>, probe = sampleProbe()): string {
  const { video } = editOf(params, probe)
  const own = (name: string) => `[${name}]`
  return video?.({ input: '[in]', output: '[out]', own, file: own, track: 0 }) ?? ''
}

describe('crop area', () => {
  test.each([
    [{}, 1920, 1080, 'crop=iw*0.562500:ih*1.000000:iw*0.218750:ih*0.000000'],
    [{ offset_x: -1 }, 1920, 1080, 'crop=iw*0.562500:ih*1.000000:iw*0.000000:ih*0.000000'],
    [{ offset_x: 1 }, 1920, 1080, 'crop=iw*0.562500:ih*1.000000:iw*0.437500:ih*0.000000'],
    [{ zoom: 2, offset_y: 1 }, 1080, 1080, 'crop=iw*0.500000:ih*0.500000:iw*0.250000:ih*0.500000'],
  ])('%j of %i x %i', (params, width, height, crop) => {
    expect(graphOf(params, sampleProbe({}, { width, height }))).toBe(
      `[in]${crop},scale=640:640,setsar=1[out]`,
    )
  })
})

test('keeps up to 60 seconds, but no more than the duration of the video', () => {
  expect(editOf({}, sampleProbe({ duration_seconds: 300 })).cut).toMatchObject({ start: 0, seconds: 60 })
  expect(editOf({ start: 290 }, sampleProbe({ duration_seconds: 300 })).cut).toMatchObject({ seconds: 10 })
  expect(() => circle.parameters.parse({ duration: 61 })).toThrow()
})

test('reports its result as the input of the next edit', () => {
  const audio = [1, 2].map((index) => ({ index, codec: 'aac', channels: 2 }))
  const { after } = editOf({ diameter: 480, duration: 5 }, sampleProbe({ audio }, { frames_per_second: 60 }))
  expect(after).toMatchObject({
    duration_seconds: 5,
    video: { width: 480, height: 480, frames_per_second: 30, rotation_degrees: 0 },
  })
  expect(after.audio).toHaveLength(1)
})

test("stays within Telegram's file size limit", () => {
  const { video = [], audio = [] } = editOf({}).encoding
  const kilobits = (options: string[] | 'copy', name: string) =>
    Number.parseInt(options === 'copy' ? '' : (options[options.indexOf(name) + 1] ?? ''), 10)
  const bytes =
    ((kilobits(video, '-maxrate') + kilobits(audio, '-b:a')) * 60 + kilobits(video, '-bufsize')) * 125
  expect(bytes).toBeLessThan(11_000_000)
})

test('draws the circle mask once for all frames', () => {
  const graph = graphOf({ bg_color: '#3366cc', diameter: 320 })
  expect(graph).toContain('color=black:s=320x320:r=1:d=1,format=rgba,geq=r=51:g=102:b=204:')
})

test('refuses a start at or beyond the end', () => {
  const plan = circle.plan({
    params: circle.parameters.parse({ start: 11 }),
    facts: { probe: sampleProbe() },
  })
  expect(plan).toMatchObject({ refused: { field: 'start' } })
})
