import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { carryOut, frameLevels, inspect, type JobSpec, operate, readPackets } from '../testing/operate.ts'

const execute = promisify(execFile)

/** Frame N is a flat gray of brightness 16 + 2N, which identifies the frames in a result. */
const counted = (rate: string, frames: number) => [
  ...[
    '-f',
    'lavfi',
    '-i',
    `color=c=black:s=64x64:r=${rate},trim=end_frame=${frames},geq=lum='16+2*N':cb=128:cr=128`,
  ],
]
const LOSSLESS = ['-c:v', 'libx264', '-preset', 'fast', '-qp', '0', '-g', '24', '-bf', '2']
const tone = (seconds: number) => ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]

function numberOf({ level }: { level: number }, levels = 2): number {
  return Math.round((level - 16) / levels)
}

async function numbers(path: string): Promise<number[]> {
  return (await frameLevels(path)).map((frame) => numberOf(frame))
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

test.each([
  // Columns: start, duration, then the first and last of 100 frames at 25 frames per second.
  [1, 1, 25, 49],
  [1.01, 1, 25, 50],
  [1.02, 0.98, 25, 49],
  [1.0395, 1, 26, 50],
  [0.96, 0.04, 24, 24],
  [2.37, 0.001, 59, 59],
  [3.5, undefined, 87, 99],
  [3.99, undefined, 99, 99],
])(
  'from %d s for %j s: contains each frame displayed in that time once',
  async (start, duration, first, last) => {
    const clip = await makeClip('count-25.mp4', [...counted('25', 100), ...tone(4), ...LOSSLESS])
    const { path, plan } = await carryOut(clip, ['trim', { start, duration }])
    expect(plan.encode_mode).toBe('encode')
    expect(await numbers(path)).toEqual(range(first, last))
  },
)

test.each([
  ['30000/1001', 'mkv', 1.001, 0.5, 30, 44],
  ['30000/1001', 'mp4', 0.033, 1, 1, 30],
  ['24000/1001', 'mov', 2, 1, 47, 71],
  ['60', 'mp4', 0.5, 0.5, 30, 59],
])('cuts exactly at %s frames per second in .%s', async (rate, extension, start, duration, first, last) => {
  const name = `count-${rate.replace('/', '-')}.${extension}`
  const clip = await makeClip(name, [...counted(rate, 100), ...LOSSLESS])
  const { path } = await carryOut(clip, ['trim', { start, duration }])
  expect(await numbers(path)).toEqual(range(first, last))
})

test('cuts a transport stream exactly', async () => {
  const clip = await makeClip('count.ts', [...counted('25', 100), ...LOSSLESS])
  const { path } = await carryOut(clip, ['trim', { start: 1, duration: 1 }])
  expect(await numbers(path)).toEqual(range(25, 49))
})

/** 25 frames per second, of which those from 1.6 s up to 2.4 s are missing. */
const gapped = () =>
  makeClip('gap-25.mp4', [
    ...[...counted('25', 100), ...tone(4), '-vf', "select='not(between(n,40,59))'"],
    ...['-fps_mode', 'vfr', ...LOSSLESS, '-c:a', 'aac'],
  ])

test.each([
  [1.01, 2, range(25, 39), range(60, 75)],
  [2, 1.01, [39], range(60, 75)],
  [1, 1, range(25, 39), []],
])(
  'from %d s for %d s: a video with missing frames keeps its rate',
  async (start, duration, before, after) => {
    const { path, input } = await carryOut(await gapped(), ['trim', { start, duration }])
    expect(input.video.base_rate).toBe(25)
    const frames = await frameLevels(path)
    expect([...new Set(frames.map((frame) => numberOf(frame)))]).toEqual([...before, ...after])
    expect(frames.map(({ seconds }) => Math.round(seconds * 25))).toEqual(range(0, frames.length - 1))
    const first = Math.floor(start * 25)
    expect(frames).toHaveLength(Math.ceil((start + duration) * 25) - first)
    const [, audio] = (await inspect(path)).streams
    expect(Number(audio?.duration)).toBeCloseTo(start + duration - first / 25, 1)
  },
)

/** 60 frames per second, of which one is missing. Its average rate counts as constant. */
const oneMissing = (...options: string[]) =>
  makeClip(`gap-60${options.join('')}.mp4`, [
    ...[...counted('60', 240), '-vf', "select='not(eq(n,90))'", '-fps_mode', 'vfr', ...LOSSLESS, ...options],
  ])

test('a video with few missing frames is cut on the grid of the others', async () => {
  const { path, input } = await carryOut(await oneMissing(), ['trim', { start: 1, duration: 0.4 }])
  expect(input.video).toMatchObject({ variable_frame_rate: false, base_rate: 60 })
  expect(await numbers(path)).toEqual(range(60, 83))
})

test('in the coarse time base of phones, frames are not taken for missing', async () => {
  const coarse = await oneMissing('-video_track_timescale', '600')
  expect((await carryOut(coarse, ['mute'])).input.video.base_rate).toBeUndefined()
})

test('a whole video with missing frames keeps the times of the others', async () => {
  const frames = await frameLevels((await carryOut(await gapped(), ['flip'])).path)
  expect(frames.map(({ seconds }) => Math.round(seconds * 25))).toEqual([...range(0, 39), ...range(60, 99)])
})

/** Frame times in seconds. The last frame is displayed for 0.5 s. Each frame is brighter by so many levels. */
const UNEVEN = [0, 0.04, 0.1, 0.5, 2.3, 5, 5.01, 5.02, 8]
const UNEVEN_LEVELS = 24
const uneven = () => {
  const times = UNEVEN.map((seconds, number) => `eq(N,${number})*${seconds}`).join('+')
  const source = `color=c=black:s=64x64:r=25,trim=end_frame=${UNEVEN.length},geq=lum='16+${UNEVEN_LEVELS}*N':cb=128:cr=128`
  return makeClip('uneven.mp4', [
    ...['-f', 'lavfi', '-i', `${source},settb=1/90000,setpts='90000*(${times})'`],
    ...['-fps_mode', 'vfr', '-enc_time_base', '1:90000', ...LOSSLESS],
  ])
}

test('variable-rate frames keep their times within 1/60 s, and the frame displayed at the start comes first', async () => {
  const { path, output } = await operate(await uneven(), ['trim', { start: 3, duration: 4 }])
  const frames = await frameLevels(path)
  const seen = frames.map((frame) => numberOf(frame, UNEVEN_LEVELS))
  expect([...new Set(seen)]).toEqual([4, 5, 7])
  expect(frames[0]?.seconds).toBe(0)
  expect(frames[seen.indexOf(5)]?.seconds).toBeCloseTo(2, 1)
  expect(frames[seen.indexOf(7)]?.seconds).toBeCloseTo(2.02, 1)
  expect(output.duration_seconds).toBeCloseTo(4, 1)
})

test.each([
  // The frame before 5 s is displayed for 0.003 s, and the one at 5.01 s for 0.002 s.
  [4.997, 0.03, 4, 7],
  [4.98, 0.032, 4, 6],
])(
  'a variable-rate cut from %d s for %d s shows its first and last frame, however briefly',
  async (start, duration, first, last) => {
    const { path } = await carryOut(await uneven(), ['trim', { start, duration }])
    const shown = (await frameLevels(path)).map((frame) => numberOf(frame, UNEVEN_LEVELS))
    expect([shown[0], shown.at(-1)]).toEqual([first, last])
  },
)

test('variable-rate frames keep their exact times without a cut', async () => {
  const { path } = await carryOut(await uneven(), ['flip'])
  const frames = await frameLevels(path)
  expect(frames).toHaveLength(UNEVEN.length)
  for (const [index, { seconds }] of frames.entries()) expect(seconds).toBeCloseTo(UNEVEN[index] ?? 0, 3)
})

test('cuts slides of five seconds even if no new slide starts', { tags: ['extended'] }, async () => {
  const slides = await makeClip('slides.mp4', [...counted('1/5', 3), ...LOSSLESS])
  const { path, output } = await operate(slides, ['trim', { start: 6, duration: 2 }])
  const shown = await frameLevels(path)
  expect(new Set(shown.map((frame) => numberOf(frame)))).toEqual(new Set([1]))
  expect(shown[0]?.seconds).toBe(0)
  expect(output.duration_seconds).toBeCloseTo(2, 1)
  const later = await carryOut(slides, ['trim', { start: 3, duration: 4 }])
  const frames = await frameLevels(later.path)
  expect([...new Set(frames.map((frame) => numberOf(frame)))]).toEqual([0, 1])
  expect(frames.find(({ level }) => level > 17)?.seconds).toBeCloseTo(2, 1)
})

/** Returns the time in seconds at which audio first becomes audible. */
async function clickSeconds(path: string): Promise<number> {
  const pcm = [
    '-map',
    '0:a',
    '-af',
    'aresample=async=1:min_hard_comp=0.06:first_pts=0',
    '-ac',
    '1',
    '-ar',
    '48000',
    '-f',
    's16le',
  ]
  const { stdout } = await execute('ffmpeg', ['-v', 'error', '-i', path, ...pcm, '-'], { encoding: 'buffer' })
  for (let at = 0; at + 1 < stdout.length; at += 2) {
    if (Math.abs(stdout.readInt16LE(at)) > 5000) return at / 2 / 48000
  }
  throw new Error('there is no click')
}

test.each([
  ['mp4', 10, 1.3, 'directly'],
  ['mp4', 10, 1.099, 'after a flip'],
  ['mp4', 25, 1.31, 'directly'],
  ['mkv', 24, 0.99, 'directly'],
  ['mkv', 24, 0.99, 'after a flip'],
  ['ts', 12, 1.04, 'directly'],
  ['ts', 12, 1.04, 'after a flip'],
  ['ts', 25, 0.02, 'directly'],
] as const)(
  'video and audio stay in sync in an .%s of %i frames per second cut at %d s %s',
  { tags: ['extended'] },
  async (extension, rate, start, cut_position) => {
    const flash = `color=c=black:s=64x64:r=${rate}:d=4,geq=lum='if(eq(N,${2 * rate}),235,16)':cb=128:cr=128`
    const click = `aevalsrc='if(between(t,2,2.04),0.8*sin(6000*t),0)':d=4:s=48000`
    const sources = ['-f', 'lavfi', '-i', flash, '-f', 'lavfi', '-i', click]
    const clip = await makeClip(`flash.${extension}`, [...sources, ...LOSSLESS])
    const trim: JobSpec = ['trim', { start, duration: 2.5 }]
    const { path } = await (cut_position === 'directly'
      ? carryOut(clip, trim)
      : carryOut(clip, ['flip'], trim))
    const seen = (await frameLevels(path)).find(({ level }) => level > 100)?.seconds ?? 0
    expect(Math.abs(seen - (await clickSeconds(path)))).toBeLessThan(0.008)
    const { format, streams } = await inspect(path)
    // The frames that are displayed at both ends are whole.
    expect(Number(format.duration)).toBeGreaterThan(2.5 - 1 / rate)
    expect(Number(format.duration)).toBeLessThan(2.5 + 2 / rate)
    expect(streams.map(({ start_time }) => Number(start_time))).toEqual([0, 0])
  },
)

test('a cut from 0 copies the first packets of the source', async () => {
  const clip = await makeClip('count-25.mp4', [...counted('25', 100), ...tone(4), ...LOSSLESS])
  const { plan, path, source } = await carryOut(clip, ['trim', { duration: 2 }])
  expect(plan.encode_mode).toBe('remux')
  const [result, all] = [await readPackets(path), await readPackets(source)]
  for (const stream of ['v', 'a'] as const) {
    expect(result[stream].length).toBeGreaterThan(40)
    expect(all[stream].slice(0, result[stream].length)).toEqual(result[stream])
  }
})

test('a cut below 1/60 s contains one variable-rate frame', async () => {
  const { path } = await carryOut(await uneven(), ['trim', { start: 3, duration: 0.001 }])
  expect((await frameLevels(path)).map((frame) => numberOf(frame, UNEVEN_LEVELS))).toEqual([4])
})

test('a cut after fps is exact at the new frame rate', async () => {
  const clip = await makeClip('count-25.mp4', [...counted('25', 100), ...tone(4), ...LOSSLESS])
  const whole = await carryOut(clip, ['fps', { fps: 10 }])
  const part = await carryOut(clip, ['fps', { fps: 10 }], ['trim', { start: 1, duration: 1 }])
  const [shown, expected] = [await frameLevels(part.path), (await frameLevels(whole.path)).slice(10, 20)]
  expect(shown).toHaveLength(10)
  // Frames differ by five levels, and encoders may blend two of them by one or two.
  for (const [index, { level }] of shown.entries())
    expect(Math.abs(level - (expected[index]?.level ?? 0))).toBeLessThan(2.5)
})

test('a cut is exact before and after other operations of a pipeline', async () => {
  const clip = await makeClip('count-25.mp4', [...counted('25', 100), ...tone(4), ...LOSSLESS])
  const before = await carryOut(
    clip,
    ['trim', { start: 1, duration: 2 }],
    ['flip'],
    ['trim', { start: 0.48, duration: 0.52 }],
  )
  expect(await numbers(before.path)).toEqual(range(37, 49))
  const after = await operate(clip, ['speed', { factor: 2 }], ['trim', { start: 1, duration: 0.5 }])
  expect(after.output.duration_seconds).toBeCloseTo(0.5, 1)
  const [first] = await numbers(after.path)
  expect(first).toBeGreaterThanOrEqual(49)
  expect(first).toBeLessThanOrEqual(51)
})

/** Makes ten three-second slides with B-frames and audio. */
const reorderedSlides = (extension: 'mp4' | 'mkv') =>
  makeClip(`reordered.${extension}`, [
    ...[...counted('1/3', 10), ...tone(30), '-c:v', 'libx264', '-bf', '2'],
    ...['-x264-params', 'b-adapt=0:scenecut=0', '-c:a', 'aac'],
  ])

/** Makes four seconds at 25 frames per second. The last of these frames is displayed until the next frame, at 9 s. */
const heldFrame = (extension: 'mp4' | 'mkv') => {
  const source = counted('25', 101).at(-1)
  const held = `${source},settb=1/90000,setpts='if(eq(N,100),9,N/25)/TB'`
  return makeClip(`held.${extension}`, [
    ...['-f', 'lavfi', '-i', held, ...tone(9), '-fps_mode', 'vfr'],
    ...['-c:v', 'libx264', '-bf', '0', '-enc_time_base', '1:90000', '-c:a', 'aac'],
  ])
}

test.each([
  ['slides', reorderedSlides, 'mp4', { duration: 4 }],
  ['slides', reorderedSlides, 'mp4', { start: 7, duration: 4, precise: false }],
  ['slides', reorderedSlides, 'mkv', { duration: 4 }],
  ['a held frame', heldFrame, 'mp4', { duration: 4 }],
  ['a held frame', heldFrame, 'mp4', { start: 1, duration: 4, precise: false }],
  ['a held frame', heldFrame, 'mkv', { duration: 6 }],
] as const)(
  'a part of %s has the requested duration: %#',
  { tags: ['extended'] },
  async (_, clip, extension, params) => {
    const { path } = await operate(await clip(extension), ['trim', params])
    const { start = 0, duration } = { start: 0, ...params }
    // A copy starts at a keyframe, which is the first frame here.
    const longest = 'precise' in params ? start + duration : duration
    const seconds = Number((await inspect(path)).format.duration)
    expect(seconds).toBeGreaterThan(duration - 0.1)
    expect(seconds).toBeLessThan(longest + 0.1)
  },
)
