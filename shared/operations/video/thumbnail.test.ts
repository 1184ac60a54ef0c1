import { describe, expect, test } from 'vitest'
import { sampleProbe } from '../../planning/sample-facts.ts'
import type { FfmpegStep } from '../../planning/steps.ts'
import { thumbnail } from './thumbnail.ts'

function planThumbnail(params: Record<string, unknown>, probe = sampleProbe()) {
  return thumbnail.plan({ params: thumbnail.parameters.parse(params), facts: { probe } })
}

function stepOf(params: Record<string, unknown>, probe = sampleProbe()): FfmpegStep {
  const plan = planThumbnail(params, probe)
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  const [step] = plan.steps
  if (step?.kind !== 'ffmpeg') throw new Error('thumbnail runs ffmpeg')
  return step
}

describe('a single frame', () => {
  test.each([
    [{}, ['-noaccurate_seek', '-ss', '1']],
    [{ at: 0 }, []],
    [{ at: 9.999 }, ['-noaccurate_seek', '-ss', '9.999']],
    [{ at: 10 }, ['-noaccurate_seek', '-ss', '10']],
  ])('%j seeks with %j and always finds a frame', (params, options) => {
    const step = stepOf(params)
    expect(step.inputs).toMatchObject([{ file: 'source', options }])
    const check =
      options.length === 0
        ? "setpts='if(N,PTS,min(PTS,0/TB))',"
        : "setpts='PTS+gt(STARTT,0.5)*10000000/TB',trim=end=1000000,"
    expect(step.filter_graph).toBe(
      `[0:0]${check}settb=AVTB,trim=end=0.0015,setpts=PTS+1e5/TB,fps=fps=1e-6:round=down:start_time=0:eof_action=pass,setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709,scale=1920:1080,setsar=1[frame];[frame]scale=out_color_matrix=bt601:out_range=full,format=yuvj420p[still]`,
    )
    expect(step.output_duration_seconds).toBeNull()
  })

  test.each([
    ['jpg', 'thumbnail.jpg', 'mjpeg'],
    ['jpeg', 'thumbnail.jpg', 'mjpeg'],
    ['png', 'thumbnail.png', 'png'],
    ['webp', 'thumbnail.webp', 'libwebp'],
  ])('%s is written as %s', (format, file, encoder) => {
    const { output } = stepOf({ format })
    expect(output.file).toBe(file)
    expect(output.options.join(' ')).toContain(`-map [still] -frames:v 1 -update 1 -c:v ${encoder}`)
  })

  test.each([
    [{ width: 320 }, 1920, 1080, 'scale=320:180'],
    [{ width: 3840 }, 640, 359, 'scale=3840:2154'],
    [{ width: 16 }, 10_000, 10, 'scale=16:1'],
    [{}, 641, 359, 'scale=641:359'],
  ])('%j of %i x %i is %s', (params, width, height, scale) => {
    expect(stepOf(params, sampleProbe({}, { width, height })).filter_graph).toContain(`,${scale},`)
  })

  test.each([false, true])('is refused at or beyond the end (smart: %s)', (smart) => {
    expect(planThumbnail({ at: 10.5, smart })).toEqual({
      refused: {
        field: 'at',
        message: expect.objectContaining({ en: 'at is 10.5 s, but the video is only 10 s long' }),
      },
    })
  })
})

test.each([
  [{ width: 3840 }, 16, 1600, 'width', '3840 x 384000'],
  [{ width: 1920, format: 'webp' }, 200, 2000, 'width', '1920 x 19200'],
  [{ format: 'webp' }, 160, 16_384, 'format', '160 x 16384'],
])('%j of a strip of %i x %i is refused', (params, width, height, field, size) => {
  const message = expect.objectContaining({
    en: expect.stringContaining(`the image would be ${size} pixels`),
  })
  expect(planThumbnail(params, sampleProbe({}, { width, height }))).toEqual({ refused: { field, message } })
})

describe('a stream without an index', () => {
  const stream = sampleProbe({ container: 'mpegts', duration_seconds: 100 })

  test.each([
    [{ at: 2.6 }, [], '2.6015', 4.6],
    [{ at: 0 }, [], '0.0015', 2],
    [{ at: 90 }, ['-noaccurate_seek', '-ss', '87'], '3.0015', 5],
  ])('is read from slightly before the timestamp: %j', (params, options, end, reads_seconds) => {
    const step = stepOf(params, stream)
    expect(step.inputs).toEqual([{ file: 'source', options, reads_seconds }])
    expect(step.filter_graph).toContain(`,settb=AVTB,trim=end=${end},setpts=PTS+1e5/TB,`)
  })

  test('is reread from earlier positions, finally from the start', () => {
    const waysOf = ({ inputs, fallback }: Pick<FfmpegStep, 'inputs' | 'fallback'>): unknown[] => [
      inputs[0]?.options.at(-1),
      ...(fallback === undefined ? [] : waysOf(fallback)),
    ]
    expect(waysOf(stepOf({ at: 90 }, stream))).toEqual(['87', '78', '50', undefined])
    expect(waysOf(stepOf({ at: 90, smart: true }, stream))).toEqual(['85', '78', '50', undefined])
    expect(waysOf(stepOf({ at: 3 }, stream))).toEqual([undefined])
    const { fallback } = stepOf({ at: 10 }, stream)
    expect(fallback?.inputs).toEqual([{ file: 'source', options: [], reads_seconds: 12 }])
    expect(fallback?.filter_graph).toMatch(/,settb=AVTB,trim=end=10.0015,.*\[still\]$/)
    const restarts = sampleProbe({ container: 'mpegts', duration_seconds: 100, clock_restarts: true })
    expect(waysOf(stepOf({ at: 90 }, restarts))).toEqual([undefined])
    // An index can be missing or wrong even in a container that has one (AVI).
    expect(waysOf(stepOf({ at: 9 }))).toEqual(['9', '6', undefined])
  })

  test('is decoded near the timestamp of a search; a search of the whole video falls back to its first frame', () => {
    const near = stepOf({ at: 90, smart: true }, stream)
    expect(near.filter_graph).toContain("[0:0]setpts='PTS+gt(STARTT,5.5)*")
    expect(near.filter_graph).toContain(',trim=start=0:end=10,')
    const through = stepOf({ smart: true }, stream)
    const seeks = (step: Pick<FfmpegStep, 'inputs'> | undefined) =>
      step?.inputs.map(({ options }) => options.includes('-ss'))
    expect(seeks(through)).toEqual(Array(8).fill(true))
    expect(seeks(through.fallback)).toEqual([false, ...Array(7).fill(true)])
  })
})

describe('a search for a good frame', () => {
  test('decodes a short video once', () => {
    const step = stepOf({ smart: true })
    expect(step.inputs).toMatchObject([{ file: 'source', options: [], reads_seconds: 12 }])
    expect(step.filter_graph).toMatch(
      /^\[0:0\]trim=start=0:end=10,setpts=PTS-STARTPTS,fps=0.8\[samples\];.*concat=n=4\[frame\];\[frame\]scale=[^;]*\[still\]$/,
    )
  })

  test.each([
    [0, [], '0:end=5', 7],
    [300, ['-noaccurate_seek', '-ss', '294'], '1:end=11', 13],
    [600, ['-noaccurate_seek', '-ss', '594'], '1:end=6', 8],
  ])('near %i s reads only that part', (at, options, part, reads_seconds) => {
    const step = stepOf({ smart: true, at }, sampleProbe({ duration_seconds: 600 }))
    expect(step.inputs).toEqual([{ file: 'source', options, reads_seconds }])
    expect(step.filter_graph).toContain(`trim=start=${part},`)
  })

  test('jumps between keyframes of a long video', () => {
    const step = stepOf({ smart: true }, sampleProbe({ duration_seconds: 80 }, { index: 1 }))
    expect(step.inputs.map((input) => input.options.at(-1))).toEqual([
      ...['5', '15', '25', '35', '45', '55', '65', '75'],
    ])
    expect(step.filter_graph).toContain('[7:1]trim=end_frame=1')
    expect(step.filter_graph).toContain('[at0][at1][at2][at3][at4][at5][at6][at7]concat=n=8[samples]')
  })

  test.each([
    [60, {}, 8],
    [300, {}, 11],
    [1800, {}, 16],
    [7200, {}, 20],
    [1e6, {}, 20],
    // All samples are held in memory, so large frames get fewer samples.
    [7200, { width: 2560, height: 1440 }, 11],
    [7200, { width: 3840, height: 2160 }, 8],
  ])('of %i s with %j takes %i samples', (duration_seconds, video, count) => {
    const step = stepOf({ smart: true }, sampleProbe({ duration_seconds }, video))
    expect(step.inputs).toHaveLength(count)
    expect(step.filter_graph).toContain(`thumbnail=n=${count}[class0]`)
  })
})
