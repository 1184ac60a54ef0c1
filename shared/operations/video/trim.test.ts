import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { MediaProbe } from '../facts.ts'
import type { Plan } from '../operation.ts'
import { sampleProbe } from '../sample-facts.ts'
import type { FfmpegStep } from '../steps.ts'
import { trim } from './trim.ts'

function planTrim(params: Record<string, unknown>, probe = sampleProbe()) {
  return trim.plan({ params: trim.parameters.parse(params), facts: { probe } })
}

function stepsOf(plan: ReturnType<typeof planTrim>): FfmpegStep[] {
  if ('refused' in plan) throw new Error(plan.refused.message)
  return plan.steps.filter((step) => step.kind === 'ffmpeg')
}

/** What matters of a plan, in one line a step. */
function lines(plan: ReturnType<typeof planTrim>): string[] {
  return stepsOf(plan).map((step) =>
    [
      ...step.inputs.flatMap((input) => [...input.options, input.file]),
      ...step.output.options,
      step.output.file,
    ].join(' '),
  )
}

describe('a remux', () => {
  test('from the start copies up to the end', () => {
    const plan = planTrim({ duration: 4 })
    expect(plan).toMatchObject({ encode_mode: 'remux', outputs: [{ file: 'trimmed.mp4' }] })
    expect(lines(plan)).toEqual([
      '-fflags +genpts source -map 0:0 -map 0:1 -t 4 -c copy -movflags +faststart trimmed.mp4',
    ])
  })

  test('from a keyframe begins at nought', () => {
    expect(lines(planTrim({ start: 2.5, duration: 4, precise: false }))).toEqual([
      '-fflags +genpts -ss 2.5 source -map 0:0 -map 0:1 -t 4 -avoid_negative_ts make_zero -c copy -movflags +faststart trimmed.mp4',
    ])
  })

  test('of a transport stream goes by a file with an index', () => {
    const probe = sampleProbe({ container: 'mpegts' })
    expect(lines(planTrim({ start: 2.5, precise: false }, probe))).toEqual([
      '-fflags +genpts source -map 0:0 -map 0:1 -c copy indexed.mkv',
      '-fflags +genpts -ss 2.5 indexed.mkv -map 0 -avoid_negative_ts make_zero -c copy trimmed.mkv',
    ])
    expect(planTrim({ start: 2.5, precise: false }, probe)).toMatchObject({
      outputs: [{ file: 'trimmed.mkv' }],
    })
  })

  const audio = (codec: string): Partial<MediaProbe> => ({ audio: [{ index: 1, codec, channels: 2 }] })
  test.each([
    ['mov,mp4,m4a,3gp,3g2,mj2', 'hevc', 'aac', 'mp4'],
    ['mov,mp4,m4a,3gp,3g2,mj2', 'prores', 'pcm_s16le', 'mov'],
    ['mov,mp4,m4a,3gp,3g2,mj2', 'h264', 'pcm_s16le', 'mov'],
    ['matroska,webm', 'vp9', 'opus', 'webm'],
    ['matroska,webm', 'vp9', 'aac', 'mkv'],
    ['matroska,webm', 'h264', 'opus', 'mkv'],
    ['avi', 'mpeg4', 'mp3', 'mkv'],
  ])('of %s with %s and %s stays in %s', (container, video, sound, extension) => {
    const probe = sampleProbe({ container, ...audio(sound) }, { codec: video })
    expect(planTrim({}, probe)).toMatchObject({ outputs: [{ file: `trimmed.${extension}` }] })
  })

  test('takes along the subtitles that the container holds', () => {
    const subtitles = [
      { index: 2, codec: 'subrip' },
      { index: 3, codec: 'dvb_teletext' },
    ]
    const [line] = lines(planTrim({}, sampleProbe({ container: 'matroska,webm', subtitles })))
    expect(line).toContain('-map 0:0 -map 0:1 -map 0:2 -c copy')
    expect(lines(planTrim({}, sampleProbe({ subtitles })))[0]).not.toContain('0:2')
  })
})

describe('a precise cut', () => {
  test('seeks before the input and encodes every sound track', () => {
    const audio = [1, 2].map((index) => ({ index, codec: 'ac3', channels: 6 }))
    const plan = planTrim({ start: 1.5, duration: 3 }, sampleProbe({ audio }, { width: 3840, height: 2160 }))
    expect(plan).toMatchObject({ encode_mode: 'encode', outputs: [{ file: 'trimmed.mp4' }] })
    expect(lines(plan)).toEqual([
      '-ss 1.5 source -map [video] -map 0:1 -map 0:2 -t 3 -c:v libx264 -preset fast -crf 18 -pix_fmt yuv420p -c:a aac -b:a 128k -ac 2 -movflags +faststart trimmed.mp4',
    ])
    expect(stepsOf(plan)[0]?.filter_graph).toBe('[0:0]scale=1920:1080,setsar=1[video]')
  })

  test.each([
    [{ start: 2, duration: 7.9 }, '2', '7.9'],
    [{ start: 1e-9, duration: 1 }, '0', '1'],
    // Less than a frame, and between the last frame and the end: one frame each.
    [{ start: 2, duration: 0.001 }, '2', '0.04'],
    [{ start: 9.99, duration: 0.005 }, '9.956', '0.04'],
  ])('%j is -ss %s -t %s', (params, start, seconds) => {
    expect(lines(planTrim(params))[0]).toContain(`-ss ${start} source`)
    expect(lines(planTrim(params))[0]).toContain(` -t ${seconds} `)
  })
})

test.each([{ start: 2 }, { start: 2, duration: 100 }, { start: 2, duration: 1e300, precise: false }, {}])(
  '%j goes to the end, whatever the measured length',
  (params) => {
    expect(lines(planTrim(params))[0]).not.toContain(' -t ')
  },
)

test.each([true, false])('a start at or beyond the end is refused (precise %s)', (precise) => {
  for (const start of [10, 10.5, 1e9, 1e300]) {
    expect(planTrim({ start, precise })).toEqual({
      refused: { field: 'start', message: `start is ${start} s, but the video is only 10 s long` },
    })
  }
})

test('no cut is longer than what is there, and no value is read as an option', () => {
  const params = fc.record(
    {
      start: fc.double({ min: 0, max: 1e6, noNaN: true }),
      duration: fc.double({ min: 0.001, max: 1e6, noNaN: true }),
      precise: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  const probes = fc
    .record({
      seconds: fc.double({ min: 0.04, max: 11_000, noNaN: true }),
      rate: fc.constantFrom(0, 1, 24, 59.94),
    })
    .map(({ seconds, rate }) => sampleProbe({ duration_seconds: seconds }, { frames_per_second: rate }))
  fc.assert(
    fc.property(params, probes, (values, probe) => {
      const plan = planTrim(values, probe)
      if ('refused' in plan) {
        expect(values.start).toBeGreaterThanOrEqual(probe.duration_seconds)
        return
      }
      expectPlainSeconds(plan)
      for (const step of stepsOf(plan)) {
        const most = Math.max(probe.duration_seconds - (values.start ?? 0), 0.1)
        expect(step.output_duration_seconds).toBeLessThanOrEqual(most)
      }
    }),
    { seed: 1 },
  )
})

function expectPlainSeconds(plan: Plan): void {
  for (const step of stepsOf(plan)) {
    const values = [...step.inputs.flatMap((input) => input.options), ...step.output.options]
    for (const [position, value] of values.entries()) {
      if (value === '-ss' || value === '-t') expect(values[position + 1]).toMatch(/^\d+(\.\d+)?$/)
    }
  }
}
