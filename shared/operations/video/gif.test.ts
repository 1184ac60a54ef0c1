import { describe, expect, test } from 'vitest'
import { sampleProbe } from '../../planning/sample-facts.ts'
import { gif } from './gif.ts'

function planGif(params: Record<string, unknown>, probe = sampleProbe()) {
  return gif.plan({ params: gif.parameters.parse(params), facts: { probe } })
}

function stepsOf(params: Record<string, unknown>, probe = sampleProbe()) {
  const plan = planGif(params, probe)
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  return plan.steps.map((step) => {
    if (step.kind !== 'ffmpeg') throw new Error('gif runs ffmpeg')
    return step
  })
}

test('builds the palette from the displayed frames, in a first run', () => {
  const [palette, write, ...others] = stepsOf({ start: 2, duration: 3 })
  expect(others).toEqual([])
  const reads = { file: 'source', options: ['-noaccurate_seek', '-ss', '1'], reads_seconds: 6 }
  expect(palette?.inputs).toMatchObject([reads])
  expect(write?.inputs).toMatchObject([reads, { file: 'palette.png' }])
  const frames =
    "[0:0]select='lte(start_t,1.0015)',settb=AVTB,setpts='PTS-if(ld(0),ld(1),if(lt(T,0.9615),1/TB,st(0,1)*st(1,if(lt(T,1.0015),PTS,1/TB))))',fps=fps=25:start_time=0,settb=AVTB,trim=end=2.98,fps=12," +
    'setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709,scale=480:270,setsar=1'
  const print_frames = 'metadata=mode=add:key=seen:value=1,metadata=mode=print:file=-:direct=1'
  expect(palette?.filter_graph).toBe(`${frames},${print_frames},palettegen=max_colors=256[palette]`)
  expect(write?.filter_graph).toBe(
    `${frames}[shown];[shown][1:v]paletteuse=dither=bayer:bayer_scale=5:diff_mode=rectangle,${print_frames}[gif]`,
  )
  expect(palette?.output.file).toBe('palette.png')
  expect(write?.output).toEqual({ file: 'animation.gif', options: ['-map', '[gif]', '-loop', '0'] })
  expect([palette?.output_duration_seconds, write?.output_duration_seconds]).toEqual([3, 3])
})

test('rereads from the start in both runs if the seek finds no frame in time', () => {
  for (const { fallback } of stepsOf({ start: 2, duration: 3 })) {
    expect(fallback?.inputs[0]).toEqual({ file: 'source', options: [], reads_seconds: 7 })
    expect(fallback?.filter_graph).toMatch(/^\[0:0\]settb=AVTB,setpts=.*lt\(T,1\.9615\)/)
  }
  expect(stepsOf({ duration: 3 }).map(({ fallback }) => fallback)).toEqual([undefined, undefined])
})

test('does not treat a late video start as a failed seek', () => {
  const [palette] = stepsOf({ start: 2, duration: 3 }, sampleProbe({}, { start_seconds: 4 }))
  expect(palette?.filter_graph).toContain("select='lte(start_t,3.0015)'")
})

test('keeps one frame of a clip shorter than a frame', () => {
  const [palette] = stepsOf({}, sampleProbe({ duration_seconds: 0.04 }))
  expect(palette?.filter_graph).toContain(',fps=25,')
})

test('cuts variable-rate frames by timestamp in both runs', () => {
  const variable_rate = sampleProbe({ duration_seconds: 90 }, { variable_frame_rate: true })
  const part =
    /tpad=stop=-1:stop_mode=clone,setpts=[^;]*,fps=fps=30:start_time=0,settb=AVTB,trim=end=2.983333,fps=12/
  for (const { filter_graph } of stepsOf({ start: 5, duration: 3 }, variable_rate))
    expect(filter_graph).toMatch(part)
  const large = stepsOf({ start: 5, duration: 60, fps: 30, width: 1920 }, variable_rate)
  expect(large).toHaveLength(2)
  for (const { filter_graph } of large)
    expect(filter_graph).toContain('fps=fps=30:start_time=0,settb=AVTB,trim=end=59.983333')
})

test('samples pixels of every frame for the palette of long or large clips', () => {
  const [palette, write] = stepsOf(
    { duration: 60, fps: 30, width: 1920 },
    sampleProbe({ duration_seconds: 90 }),
  )
  expect(palette?.filter_graph).toContain(',setsar=1,format=bgra,scale=126:71:flags=neighbor,metadata=')
  expect(write?.filter_graph).not.toContain('neighbor')
})

test.each([
  [0, '0'],
  [1, '-1'],
  [3, '2'],
])('to play %i times, uses -loop %s', (loops, expected) => {
  expect(stepsOf({ loops })[1]?.output.options.at(-1)).toBe(expected)
})

describe('output size', () => {
  test.each([
    [{}, 320, 181, 'scale=320:181'],
    [{}, 1080, 1920, 'scale=480:853'],
    [{ width: 333 }, 1920, 1080, 'scale=333:187'],
    [{ width: 1920 }, 640, 360, 'scale=1920:1080'],
    [{ width: 1920 }, 1080, 1920, 'scale=1080:1920'],
  ])('%j of %i x %i is %s', (params, width, height, scale) => {
    expect(stepsOf(params, sampleProbe({}, { width, height }))[0]?.filter_graph).toContain(`,${scale},`)
  })
})

test('ends the clip with the video, and refuses a start at or beyond its end', () => {
  expect(stepsOf({ start: 8, duration: 60 })[0]?.output_duration_seconds).toBe(2)
  expect(planGif({ start: 10 })).toEqual({
    refused: {
      field: 'start',
      message: expect.objectContaining({ en: 'start is 10 s, but the video is only 10 s long' }),
    },
  })
})
