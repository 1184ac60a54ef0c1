/** @module-tag extended */

import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { makeClip, once } from '../testing/clips.ts'
import { describeImage, withFile } from '../testing/describe-image.ts'
import { carryOut, frameLevels, inspect, type JobSpec } from '../testing/operate.ts'

/** Frame times in seconds. Frame N is a flat gray of brightness 16 + 20N; the last frame is displayed for 3 s. */
const TIMES = [0, 0.04, 0.1, 0.5, 2.3, 5, 5.01, 5.02, 8]
const END_SECONDS = 11

const uneven = () => {
  const times = TIMES.map((seconds, number) => `eq(N,${number})*${seconds}`).join('+')
  const source = `color=c=black:s=64x64:r=25,trim=end_frame=${TIMES.length},geq=lum='16+20*N':cb=128:cr=128`
  const last = `duration='if(eq(NEXT_PTS,NOPTS),${END_SECONDS}/TB-PTS,DURATION)'`
  return makeClip('uneven-held.mp4', [
    ...['-f', 'lavfi', '-i', `${source},settb=1/90000,setpts='90000*(${times})'`],
    ...['-fps_mode', 'vfr', '-enc_time_base', '1:90000', '-c:v', 'libx264', '-qp', '0', '-bf', '0'],
    ...['-bsf:v', `setts=pts=PTS:dts=DTS:${last}`],
  ])
}

const PARTS = [
  // Columns: start, duration, and the frames displayed in that range.
  [6, 2, [7]],
  [9, 2, [8]],
  [4, 3, [4, 7]],
  [7, 3.5, [7, 8]],
  [10, 5, [8]],
] as const

test.each([
  ['of small frames', { fps: 10 }, PARTS],
  // The frames combined have more pixels than one palette pass reads.
  ['of large frames in few colors', { fps: 30, width: 640, colors: 4, dither: 'none' }, PARTS.slice(0, 1)],
])(
  'a GIF %s starts with the frame displayed at its start and has the requested duration',
  async (_, params, parts) => {
    const clip = await uneven()
    for (const [start, duration, numbers] of parts) {
      const { path, plan } = await carryOut(clip, ['gif', { ...params, start, duration }])
      expect(plan.steps).toHaveLength(2)
      const seen = (await frameLevels(path)).map(({ level }) => Math.round((level - 16) / 20))
      expect(seen[0]).toBe(numbers[0])
      expect(seen).toEqual(expect.arrayContaining([...numbers]))
      expect(seen.at(-1)).toBe(numbers.at(-1))
      const { delay = [] } = await describeImage(await readFile(path))
      const seconds = delay.reduce((sum, ms) => sum + ms, 0) / 1000
      expect(seconds).toBeCloseTo(Math.min(duration, END_SECONDS - start), 1)
    }
  },
)

/** Returns the durations of the video track and of the file. */
async function lengthsOf(path: string): Promise<[video_seconds: number, file_seconds: number]> {
  const { streams, format } = await inspect(path)
  const [source] = streams.filter(({ codec_type }) => codec_type === 'video')
  return [Number(source?.duration ?? format.duration), Number(format.duration)]
}

test.each([
  ['compress', { crf: 28 }, END_SECONDS],
  ['compress', { codec: 'hevc', crf: 28 }, END_SECONDS],
  ['compress', { codec: 'av1', crf: 40 }, END_SECONDS],
  ['flip', {}, END_SECONDS],
  ['convert', { format: 'mp4', vcodec: 'libx265' }, END_SECONDS],
  ['convert', { format: 'webm' }, END_SECONDS],
  ['fps', { fps: 30 }, END_SECONDS],
  ['fps', { fps: 5 }, END_SECONDS],
  ['speed', { factor: 2 }, END_SECONDS / 2],
  ['circle', { diameter: 128 }, END_SECONDS],
] satisfies [string, object, number][])(
  '%s %j shows the last variable-rate frame until the end of the video',
  async (key, params, seconds) => {
    const spec: JobSpec = [key, params]
    const { path, plan } = await carryOut(await uneven(), spec)
    expect(plan.encode_mode).toBe('encode')
    for (const length of await lengthsOf(path)) expect(length).toBeCloseTo(seconds, 1)
    const frames = await frameLevels(path)
    expect(frames[0]?.seconds).toBe(0)
    expect(Math.round(((frames.at(-1)?.level ?? 0) - 16) / 20)).toBe(TIMES.length - 1)
  },
)

const withAudio = once(async () =>
  withFile(await uneven(), (path) => {
    const audioInput = ['-f', 'lavfi', '-i', `sine=duration=${END_SECONDS}`]
    return makeClip('uneven-audio.mkv', ['-i', path, ...audioInput, '-map', '0', '-map', '1', '-c:v', 'copy'])
  }),
)

test.each([
  ['compress', { crf: 28 }, END_SECONDS],
  ['fps', { fps: 30 }, END_SECONDS],
  ['speed', { factor: 2 }, END_SECONDS / 2],
] satisfies [string, object, number][])(
  '%s %j keeps the video as long as audio that alone determines its duration',
  async (key, params, seconds) => {
    const { path } = await carryOut(await withAudio(), [key, params])
    for (const length of await lengthsOf(path)) expect(length).toBeCloseTo(seconds, 1)
  },
)

test('a phone video with jittering frame times keeps its duration', async () => {
  const source = `testsrc2=duration=4:size=64x64:rate=30,settb=1/90000,setpts='PTS+mod(N*37,7)*150',select='mod(n,15)'`
  const clip = await makeClip('wavering.mp4', [
    ...['-f', 'lavfi', '-i', source, '-fps_mode', 'vfr', '-enc_time_base', '1:90000'],
    ...['-c:v', 'libx264', '-bf', '0'],
  ])
  const { input, path } = await carryOut(clip, ['compress', { crf: 28 }])
  expect(input.video.variable_frame_rate).toBe(true)
  // Frame reordering can change the duration by two frames.
  for (const length of await lengthsOf(path)) expect(Math.abs(length - 4)).toBeLessThan(0.1)
  expect(await frameLevels(path)).toHaveLength(112)
})

test('a clip of constant frame rate keeps its duration', async () => {
  const source = ['-f', 'lavfi', '-i', 'testsrc2=duration=4:size=64x64:rate=25', '-c:v', 'libx264']
  const clip = await makeClip('even.mp4', source)
  for (const spec of [
    ['compress', { crf: 28 }],
    ['fps', { fps: 30 }],
    ['speed', { factor: 0.5 }],
  ] as JobSpec[]) {
    const [video_seconds] = await lengthsOf((await carryOut(clip, spec)).path)
    expect(video_seconds).toBeCloseTo(spec[0] === 'speed' ? 8 : 4, 1)
  }
})

describe('a Matroska file with a gap whose header declares a constant frame rate', () => {
  // Each second has a different brightness. There are no frames from 3 to 5 s.
  const gapped = () =>
    makeClip('gap.mkv', [
      ...[
        '-f',
        'lavfi',
        '-i',
        "color=black:duration=8:size=64x64:rate=25,geq=lum='16+20*floor(T)':cb=128:cr=128",
      ],
      ...['-f', 'lavfi', '-i', 'sine=duration=8', '-vf', "select='not(between(t,2.99,4.99))'"],
      ...['-fps_mode', 'passthrough', '-c:v', 'libx264', '-qp', '0', '-g', '25', '-c:a', 'pcm_s16le'],
    ])

  test.each([
    ['before', { start: 1.4, duration: 5 }, [1, 2, 2, 2, 5, 6]],
    ['in', { start: 3.5, duration: 3 }, [2, 2, 5, 6]],
    ['after', { start: 5.4, duration: 2 }, [5, 6, 7]],
  ] as const)(
    'a part that starts %s the gap shows each frame in sync with its audio',
    async (_, params, seconds) => {
      const { input, path } = await carryOut(await gapped(), ['trim', params])
      expect(input.video.variable_frame_rate).toBe(false)
      const frames = await frameLevels(path)
      const levelAt = (at: number) => frames.findLast((frame) => frame.seconds <= at + 0.001)?.level ?? 0
      const shown = seconds.map((__, number) => Math.round((levelAt(number) - 16) / 20))
      expect(shown.slice(0, -1)).toEqual(seconds.slice(0, -1))
      const [video_seconds, file_seconds] = await lengthsOf(path)
      expect(Math.abs(video_seconds - file_seconds)).toBeLessThan(0.1)
    },
  )
})
