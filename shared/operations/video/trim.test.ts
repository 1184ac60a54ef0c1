import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { FIXED_AUDIO_GRAPH } from '../../ffmpeg/audio/uniform-audio.ts'
import type { CutPackets, MediaProbe } from '../../planning/facts.ts'
import type { Plan } from '../../planning/operation.ts'
import { sampleFacts, sampleProbe } from '../../planning/sample-facts.ts'
import type { FfmpegStep } from '../../planning/steps.ts'
import { trim } from './trim.ts'

function planTrim(params: Record<string, unknown>, probe = sampleProbe(), lead_seconds = 0) {
  return trim.plan({
    params: trim.parameters.parse(params),
    facts: { probe, lead_seconds, cut_packets: null },
  })
}

function stepsOf(plan: ReturnType<typeof planTrim>): FfmpegStep[] {
  if ('refused' in plan) throw new Error(plan.refused.message.en)
  return plan.steps.filter((step) => step.kind === 'ffmpeg')
}

/** Formats the relevant parts of a plan, one line per step. */
function lines(plan: ReturnType<typeof planTrim>): string[] {
  return stepsOf(plan).map((step) =>
    [
      ...step.inputs.flatMap((input) => [...input.options, input.file]),
      ...step.output.options,
      step.output.file,
    ].join(' '),
  )
}

/**
 * Returns the setpts filter that counts from the first frame between `from` and `to`, or from `place` if there is
 * none.
 */
const setptsFilter = (from: string, to: string, place: string) =>
  `setpts='PTS-if(ld(0),ld(1),if(lt(T,${from}),${place}/TB,st(0,1)*st(1,if(lt(T,${to}),PTS,${place}/TB))))',` +
  'fps=fps=25:start_time=0'

describe('a keyframe cut', () => {
  test('copies from the start up to the end of the cut', () => {
    const plan = planTrim({ duration: 4 })
    expect(plan).toMatchObject({ encode_mode: 'remux', outputs: [{ file: 'trimmed.mp4' }] })
    expect(lines(plan)).toEqual([
      '-fflags +genpts source -map 0:0 -map 0:1 -t 4 -c copy -movflags +faststart -write_tmcd 0 -strict experimental trimmed.mp4',
    ])
  })

  test('starts at zero, from a keyframe', () => {
    expect(lines(planTrim({ start: 2.5, duration: 4, precise: false }))).toEqual([
      '-fflags +genpts -ss 2.5 source -map 0:0 -map 0:1 -t 4 -avoid_negative_ts make_zero -c copy -movflags +faststart -write_tmcd 0 -strict experimental trimmed.mp4',
    ])
  })

  test('copies a transport stream by way of a file with an index', () => {
    const probe = sampleProbe({ container: 'mpegts' })
    expect(lines(planTrim({ start: 2.5, precise: false }, probe))).toEqual([
      '-fflags +genpts source -map 0:0 -map 0:1 -c copy indexed.mp4',
      '-fflags +genpts -seek_timestamp 1 -ss 2.5 indexed.mp4 -map 0 -avoid_negative_ts make_zero -c copy -movflags +faststart -write_tmcd 0 -strict experimental trimmed.mp4',
    ])
    expect(planTrim({ start: 2.5, precise: false }, probe)).toMatchObject({
      outputs: [{ file: 'trimmed.mp4' }],
    })
    const [part] = stepsOf(planTrim({ start: 5, duration: 2, precise: false }, probe))
    expect(part?.inputs).toMatchObject([{ options: expect.arrayContaining(['-ss', '2']), reads_seconds: 7 }])
    expect(part?.output.options.join(' ')).toContain(
      '-t 2.1 -copyts -start_at_zero -output_ts_offset 5 -bsf:v',
    )
    expect(part?.fallback?.output?.options.join(' ')).toBe('-map 0:0 -map 0:1 -t 7.1 -c copy')
  })

  const audioTracks = (codec: string): Partial<MediaProbe> => ({ audio: [{ index: 1, codec, channels: 2 }] })
  test.each([
    ['mov,mp4,m4a,3gp,3g2,mj2', 'hevc', 'aac', 'mp4'],
    ['mov,mp4,m4a,3gp,3g2,mj2', 'prores', 'pcm_s16le', 'mov'],
    ['mov,mp4,m4a,3gp,3g2,mj2', 'h264', 'pcm_s16le', 'mov'],
    ['matroska,webm', 'vp9', 'opus', 'webm'],
    ['matroska,webm', 'vp9', 'aac', 'mkv'],
    ['matroska,webm', 'h264', 'opus', 'mkv'],
    ['avi', 'mpeg4', 'mp3', 'mkv'],
  ])('copies %s with %s and %s into .%s', (container, video, audio, extension) => {
    const probe = sampleProbe({ container, ...audioTracks(audio) }, { codec: video })
    expect(planTrim({}, probe)).toMatchObject({ outputs: [{ file: `trimmed.${extension}` }] })
  })

  test('keeps subtitles that the container supports', () => {
    const subtitles = [
      { index: 2, codec: 'subrip' },
      { index: 3, codec: 'dvb_teletext' },
    ]
    const [line] = lines(planTrim({}, sampleProbe({ container: 'matroska,webm', subtitles })))
    expect(line).toContain('-map 0:0 -map 0:1 -map 0:2 -map 0:t? -c:t copy')
    expect(lines(planTrim({}, sampleProbe({ subtitles })))[0]).not.toContain('0:2')
  })
})

function cutOf(params: Record<string, unknown>, probe?: MediaProbe): string {
  return stepsOf(planTrim(params, probe))[0]?.filter_graph ?? ''
}

describe('a precise cut', () => {
  test('seeks to slightly before the start and encodes every audio track', () => {
    const audio = [1, 2].map((index) => ({ index, codec: 'ac3', channels: 2 }))
    const probe = sampleProbe({ audio }, { width: 3840, height: 2160, color_space: 'bt709' })
    const plan = planTrim({ start: 1.5, duration: 3 }, probe)
    expect(plan).toMatchObject({ encode_mode: 'encode', outputs: [{ file: 'trimmed.mp4' }] })
    expect(lines(plan)).toEqual([
      '-reinit_filter:a 0 -noaccurate_seek -ss 0.5 source -map [video] -c:v libx264 -preset fast -crf 20 -pix_fmt yuv420p -bf 5 -psy-rd 0.4:0 -aq-strength 0.4 -map [audio1] -map [audio2] -c:a aac -b:a 128k -ac 2 -map_metadata:s:a:0 0:s:1 -map_metadata:s:a:1 0:s:2 -map_chapters -1 -movflags +faststart -write_tmcd 0 -strict experimental trimmed.mp4',
    ])
    expect(stepsOf(plan)[0]?.filter_graph?.split(';')).toEqual([
      "[0:0]select='lte(start_t,1.0015)',scale=1920:1080:out_range=tv,setsar=1[v_1]",
      `[v_1]settb=AVTB,${setptsFilter('0.9615', '1.0015', '0.98')},settb=AVTB,trim=end=3.02[v_2]`,
      '[v_2]scale=1920:1080:out_range=tv,setsar=1,format=yuv420p[video]',
      // The frame displayed at 1.5 s starts at 1.48 s, and so does the audio. Both end at 4.5 s.
      '[0:1]atrim=start=0.98:end=4,asetpts=PTS-0.98/TB[audio1_1]',
      '[audio1_1]aresample=async=1:min_hard_comp=0.06:first_pts=0,apad=whole_len=64[audio1]',
      '[0:2]atrim=start=0.98:end=4,asetpts=PTS-0.98/TB[audio2_1]',
      '[audio2_1]aresample=async=1:min_hard_comp=0.06:first_pts=0,apad=whole_len=64[audio2]',
    ])
  })

  test.each([
    [{ start: 2 }, {}, 'atrim=start=1,'],
    [{ start: 2.039 }, {}, 'atrim=start=1.001,'],
    // After an hour, frame times at 29.97 and 30000/1001 frames per second differ by about 4 ms.
    [{ start: 3601 }, { frames_per_second: 29.97 }, 'atrim=start=0.9974,'],
    // The video starts 0.21 s after the audio: its first frame starts at 0.21 s, and a later one at 1.97 s.
    [{ start: 2 }, { start_seconds: 0.21 }, 'atrim=start=0.97,'],
    [{ start: 0.1 }, { start_seconds: 0.21 }, 'atrim=start=0.21,'],
    // Variable-rate frames are cut exactly at the requested start.
    [{ start: 2.01 }, { variable_frame_rate: true }, 'atrim=start=1,'],
  ] as const)('%j of %j starts the audio with the first frame', (params, video, filter) => {
    const probe = sampleProbe({ duration_seconds: 7200 }, video)
    expect(cutOf(params, probe)).toContain(filter)
  })

  test('falls back to reading from the start if the seek lands too late', () => {
    const [step] = stepsOf(planTrim({ start: 3, duration: 2 }))
    expect(step?.fallback?.inputs).toMatchObject([{ file: 'source', options: FIXED_AUDIO_GRAPH }])
    expect(step?.fallback?.filter_graph).toContain(`]settb=AVTB,${setptsFilter('2.9615', '3.0015', '3')},`)
    expect(step?.fallback?.filter_graph).toContain('atrim=start=3:end=5,')
    expect(step?.fallback?.filter_graph).not.toContain('select')
    expect(stepsOf(planTrim({ start: 0.5, duration: 2 }))[0]?.fallback).toBeUndefined()
  })

  test.each([
    // The frame displayed at the start begins up to one frame earlier.
    [
      { start: 2, duration: 7.9 },
      `settb=AVTB,${setptsFilter('0.9615', '1.0015', '1')},settb=AVTB,trim=end=7.9`,
    ],
    [{ start: 1e-9, duration: 1 }, `settb=AVTB,${setptsFilter('0', '0.04', '0')},settb=AVTB,trim=end=0.98`],
    // A duration shorter than one frame becomes one frame.
    [
      { start: 2, duration: 0.001 },
      `settb=AVTB,${setptsFilter('0.9615', '1.0015', '1')},settb=AVTB,trim=end=0.02[`,
    ],
    // A cut to the end has no end time.
    [{ start: 2 }, `settb=AVTB,${setptsFilter('0.9615', '1.0015', '1')},settb=AVTB[`],
  ])('%j is %s', (params, filters) => {
    expect(cutOf(params)).toContain(filters)
  })

  test('repeats the last frame of variable frame rates, slideshows and videos with longer audio', () => {
    const held =
      /\[v_1\]settb=AVTB,tpad=stop=-1:stop_mode=clone,setpts=[^;]+,fps=fps=(\d+):start_time=0,settb=AVTB,trim=end=/
    const rateOf = (params: Record<string, unknown>, video: Partial<MediaProbe['video']>) =>
      held.exec(cutOf(params, sampleProbe({}, video)))?.[1]
    expect(rateOf({ start: 3, duration: 2 }, { variable_frame_rate: true, frames_per_second: 29.7 })).toBe(
      '30',
    )
    expect(rateOf({ start: 3, duration: 2 }, { variable_frame_rate: true, frames_per_second: 12 })).toBe('60')
    expect(rateOf({ start: 3, duration: 2 }, { frames_per_second: 0.2 })).toBe('60')
    expect(rateOf({ start: 9 }, { duration_seconds: 8 })).toBe('25')
    expect(rateOf({ start: 3, duration: 2 }, {})).toBeUndefined()
  })

  test('retries from earlier positions of a transport stream, and never repeats frames if the end is unreliable', () => {
    const probe = sampleProbe({ container: 'mpegts', duration_seconds: 100 }, { frames_per_second: 5 })
    const reads: FfmpegStep['fallback'][] = [stepsOf(planTrim({ start: 50 }, probe))[0]]
    for (let read = reads[0]; read?.fallback !== undefined; read = read.fallback) reads.push(read.fallback)
    const starts = reads.map((read) => read?.inputs[0]?.options.join(' ').match(/-ss (\d+)/)?.[1])
    expect(starts).toEqual(['47', '38', '10', undefined])
    expect(cutOf({ start: 50 }, probe)).toContain(
      "[v_1]settb=AVTB,setpts='if(lt(T,3.0015),PTS-3/TB,max(PTS-3/TB,0.0085/TB))',fps=fps=60:start_time=0,settb=AVTB[v_2]",
    )
  })
})

describe('the reason for encoding everything', () => {
  const H264 = { coding: { profile: 'High', level: 40 }, timescale: 25 }
  const packet = (pts: number) => ({ dts: pts, pts, can_start: pts % 25 === 0 })
  const every = Array.from({ length: 250 }, (_, pts) => packet(pts))
  const cut_packets = { timescale: 25, start: every.slice(50, 76), end: every.slice(200), reaches_end: true }

  test.each([
    ['codec', {}, { start: 2.2, duration: 7 }, cut_packets],
    ['codec', { codec: 'vp9' }, { start: 2.2, duration: 7 }, cut_packets],
    ['too_little', { ...H264, width: 320, height: 180 }, { start: 2.2, duration: 7 }, cut_packets],
    ['timestamps', H264, { start: 2.2, duration: 7 }, null],
    ['no_keyframe', H264, { start: 2.2, duration: 7 }, { ...cut_packets, start: every.slice(50, 75) }],
  ] as const)('is %s: %j', (encode_reason, video, params, packets) => {
    const facts = sampleFacts({ probe: sampleProbe({}, video), cut_packets: packets as CutPackets | null })
    const plan = trim.plan({ params: trim.parameters.parse(params), facts })
    expect(plan).toMatchObject({ encode_mode: 'encode', body: { encode_reason } })
  })
})

test.each([{ duration: 100 }, { start: 2, duration: 1e300, precise: false }, {}])(
  '%j runs to the end, whatever duration was measured',
  (params) => {
    expect(lines(planTrim(params))[0]).not.toContain(' -t ')
  },
)

test.each([true, false])('refuses a start at or beyond the end (precise: %s)', (precise) => {
  for (const start of [10, 10.5, 1e9, 1e300]) {
    expect(planTrim({ start, precise })).toEqual({
      refused: {
        field: 'start',
        message: expect.objectContaining({ en: `start is ${start} s, but the video is only 10 s long` }),
      },
    })
  }
})

test('never exceeds the input, and never passes a value as an option', () => {
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
