import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { FIXED_AUDIO_GRAPH } from '../../ffmpeg/audio/uniform-audio.ts'
import type { Facts, MediaProbe } from '../../planning/facts.ts'
import { planPipeline, type Stage } from '../../planning/pipeline.ts'
import { sampleProbe } from '../../planning/sample-facts.ts'
import { validateParams } from '../../planning/validate.ts'
import { compress } from './compress.ts'
import { convert } from './convert.ts'
import { resize } from './resize.ts'

function stepOf(params: Record<string, unknown>, probe: MediaProbe) {
  const plan = compress.plan({ params: compress.parameters.parse(params), facts: { probe } })
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  const [step] = plan.steps
  if (step?.kind !== 'ffmpeg') throw new Error('compress runs ffmpeg')
  return { ...step, encode_mode: plan.encode_mode, arguments: step.output.options.join(' ') }
}

test('builds the complete command', () => {
  const step = stepOf({}, sampleProbe({}, { width: 3840, height: 2160, color_space: 'bt709' }))
  expect(step.encode_mode).toBe('encode')
  expect(step.inputs).toMatchObject([{ file: 'source', options: FIXED_AUDIO_GRAPH }])
  expect(step.filter_graph).toBe(
    '[0:0]scale=1920:1080:out_range=tv,setsar=1[v_1];' +
      '[v_1]scale=1920:1080:out_range=tv,setsar=1,format=yuv420p[video];' +
      '[0:1]aresample=async=1:min_hard_comp=0.06:first_pts=0,apad=whole_len=64[audio1]',
  )
  expect(step.arguments).toBe(
    '-map [video] -c:v libx264 -preset medium -crf 29 -pix_fmt yuv420p -bf 5 -psy-rd 0.4:0 -aq-strength 0.4 -map [audio1] -c:a aac -b:a 128k -ac 2 -movflags +faststart -write_tmcd 0 -strict experimental',
  )
  expect(step).toMatchObject({ audio_tracks: [1], output_duration_seconds: 10 })
})

test.each([
  [{ level: 'light' }, '24'],
  [{ level: 'medium' }, '29'],
  [{ level: 'strong' }, '34'],
  [{ level: 'strong', crf: 0 }, '1'],
  [{ crf: 1 }, '1'],
  [{ crf: 51 }, '51'],
])('%j encodes with crf %s', (params, crf) => {
  expect(stepOf(params, sampleProbe()).arguments).toContain(`-crf ${crf} `)
})

test('maps no audio for a silent video, and the first of several tracks', () => {
  expect(stepOf({}, sampleProbe({ audio: [] })).arguments).not.toMatch(/-map \S*audio|-c:a/)
  const audio = [2, 3].map((index) => ({ index, codec: 'ac3', channels: 6 }))
  expect(stepOf({}, sampleProbe({ audio })).arguments.match(/-map \S*audio\S*/g)).toEqual(['-map [audio2]'])
})

test('only a level leaves the quality to a search, and spends no bits on false texture', () => {
  const [open, exact] = [{}, { crf: 28 }].map((params) => stepOf(params, sampleProbe()))
  expect(open).toHaveProperty('rate_search.loss_max', 0.0075)
  expect(open?.arguments).toContain('-psy-rd')
  expect(exact).not.toHaveProperty('rate_search')
  expect(exact?.arguments).not.toContain('-psy-rd')
})

test('repeated frames have keyframes up to 20 seconds apart', () => {
  const keyframesOf = (size_bytes: number, frames_per_second: number, params = {}) =>
    stepOf(params, sampleProbe({ size_bytes }, { frames_per_second })).arguments.match(/ -g (\d+)/)?.[1]
  expect(keyframesOf(200_000, 30)).toBe('600')
  // Not nearer than by default.
  expect(keyframesOf(200_000, 10)).toBe('250')
  expect(keyframesOf(5_000_000, 30)).toBeUndefined()
  expect(keyframesOf(200_000, 30, { crf: 30 })).toBeUndefined()
})

test('the fastest preset stays as fast as it is', () => {
  const options = stepOf({ preset: 'ultrafast' }, sampleProbe()).arguments
  expect(options).toContain('-crf 28 ')
  expect(options).not.toContain('-bf')
})

test.each([
  [{ codec: 'hevc' }, '-c:v libx265 -preset medium -crf 27 '],
  [{ codec: 'hevc', level: 'light', preset: 'fast' }, '-c:v libx265 -preset fast -crf 22 '],
  [{ codec: 'av1' }, '-c:v libsvtav1 -preset 8 -crf 40 '],
  [{ codec: 'av1', level: 'strong', preset: 'slow' }, '-c:v libsvtav1 -preset 6 -crf 50 '],
  [{ codec: 'av1', crf: 63 }, '-c:v libsvtav1 -preset 8 -crf 63 '],
  // SVT-AV1 ignores 0.
  [{ codec: 'av1', crf: 0 }, '-c:v libsvtav1 -preset 8 -crf 1 '],
])('%j encodes with %s', (params, options) => {
  expect(stepOf(params, sampleProbe()).arguments).toContain(options)
})

test('without a codec, all arguments are those of H.264', () => {
  expect(stepOf({}, sampleProbe())).toEqual(stepOf({ codec: 'h264' }, sampleProbe()))
})

test.each([
  [1 / 300, 'fps-num=10:fps-denom=1'],
  [24, null],
  [240, null],
  [300, 'fps-num=60:fps-denom=1'],
])('AV1 with %d frames per second declares %s', (frames_per_second, declared) => {
  const options = stepOf({ codec: 'av1' }, sampleProbe({}, { frames_per_second })).arguments
  expect(/-svtav1-params (\S+)/.exec(options)?.[1] ?? null).toBe(declared)
})

test('a level searches on the scale of the codec', () => {
  const search = stepOf({ codec: 'av1' }, sampleProbe({ duration_seconds: 600 })).rate_search
  expect(search).toMatchObject({ loss_max: 0.0075, lowest: 40, highest: 63, scale: { step: 1 } })
  expect(search?.encoder.join(' ')).toContain('libsvtav1')
})

test.each([
  [{ crf: 52 }, 'crf: must be at most 51, not 52'],
  [{ crf: 99, codec: 'hevc' }, 'crf: must be at most 51, not 99'],
  [{ crf: 64, codec: 'av1' }, 'crf: must be at most 63, not 64'],
  [{ crf: -1, codec: 'av1' }, 'crf: must be at least 0, not -1'],
  [{ codec: 'vp9' }, 'codec: must be one of h264, hevc, av1, not "vp9"'],
])('refuses %j', (params, en) => {
  const message = expect.objectContaining({ en })
  expect(validateParams(compress as never, params)).toMatchObject({ refused: { message } })
})

test.each([
  [{ codec: 'av1' }, 62, 'av1 requires at least 64 x 64 pixels, and the result has 120 x 62. Use h264'],
  [{ codec: 'hevc' }, 14, 'hevc requires at least 16 x 16 pixels, and the result has 120 x 14. Use h264'],
])('refuses %j for frames that its encoder does not accept', (params, height, en) => {
  const facts = { probe: sampleProbe({}, { width: 120, height }) }
  expect(compress.plan({ params: compress.parameters.parse(params), facts })).toMatchObject({
    refused: { field: 'codec', message: { en } },
  })
})

describe('in a pipeline, the size of the result counts', () => {
  const stage = (operation: { parameters: z.ZodObject }, params: Record<string, unknown>) =>
    ({ operation, params: operation.parameters.parse(params) }) as unknown as Stage
  const planAfter = (codec: string, height: number, last: Stage) =>
    planPipeline([stage(compress, { codec, crf: 50 }), last], {
      probe: sampleProbe({}, { width: 128, height }),
    } as Facts)

  test.each([
    ['av1', 32, 'av1 requires at least 64 x 64 pixels, and the result has 32 x 24. Use h264'],
    ['hevc', 16, 'hevc requires at least 16 x 16 pixels, and the result has 16 x 12. Use h264'],
  ])('refuses %s if a later resize makes frames too small', (codec, width, en) => {
    const plan = planAfter(codec, 96, stage(resize, { width }))
    expect(plan).toMatchObject({ refused: { field: 'codec', message: { en } } })
  })

  test('accepts small frames if later operations enlarge them or choose another codec', () => {
    expect(planAfter('av1', 60, stage(resize, { width: 256 }))).toMatchObject({ encode_mode: 'encode' })
    expect(planAfter('av1', 60, stage(convert, { format: 'mov' }))).toMatchObject({ encode_mode: 'encode' })
  })
})
