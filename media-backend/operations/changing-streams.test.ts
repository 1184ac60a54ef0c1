/** @module-tag extended */

import { readFile } from 'node:fs/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { measureLoudness } from '../probe/audio/loudness.ts'
import { extractSpeech, HEADER_BYTES, SAMPLES_PER_SECOND } from '../speech/audio.ts'
import { clickTimes } from '../testing/clicks.ts'
import { makeClip, once } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { decodeFrame } from '../testing/frames.ts'
import { carryOut, frameLevels, type JobSpec, operate } from '../testing/operate.ts'
import { startJobRunner } from '../testing/run-job.ts'

/**
 * Duration of each of the two parts. Second N of the whole clip is a gray of brightness 16 + 20N with a click in
 * the middle.
 */
const PART_SECONDS = 4

interface Form {
  size?: string
  channels?: string
  rate?: number
  codecs?: readonly string[]
}

const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '10', '-pix_fmt', 'yuv420p', '-g', '25']
const AAC = [...H264, '-c:a', 'aac']
const AC3 = [...H264, '-c:a', 'ac3']
const VP8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-b:v', '500k', '-c:a', 'libopus']

function part(first_second: number, form: Form): string[] {
  const { size = '64x48', channels = 'mono', rate = 48_000, codecs = AAC } = form
  const gray = `geq=lum='16+20*(floor(N/25)+${first_second})':cb=128:cr=128`
  const click = `aevalsrc='if(between(mod(t,1),0.5,0.54),0.5*sin(6000*t),0)'`
  return [
    ...['-f', 'lavfi', '-i', `color=black:s=${size}:r=25:d=${PART_SECONDS},${gray}`],
    ...['-f', 'lavfi', '-i', `${click}:d=${PART_SECONDS}:s=${rate}:c=${channels}`, ...codecs],
  ]
}

/** Concatenates two transport streams, like `cat`. The clock continues unless `clock_seconds` restarts it. */
async function broadcast(one: Form, other: Form, clock_seconds = PART_SECONDS + 0.1): Promise<Buffer> {
  const later = ['-output_ts_offset', String(clock_seconds)]
  return Buffer.concat([
    await makeClip('one.ts', part(0, one)),
    await makeClip('other.ts', [...part(PART_SECONDS, other), ...later]),
  ])
}

async function recording(): Promise<Buffer> {
  const changed = await broadcast({}, { size: '128x96' })
  return withFile(changed, (path) => makeClip('changed.mkv', ['-i', path, '-c', 'copy']))
}

/** Makes a clip like a recorded call. A second part with a different frame size simulates a rotated phone. */
async function call(one: Form, other: Form): Promise<Buffer> {
  const parts = [
    await makeClip('one.webm', part(0, { ...one, codecs: VP8 })),
    await makeClip('other.webm', part(PART_SECONDS, { ...other, codecs: VP8 })),
  ] as const
  return withFile(parts[0], (first) =>
    withFile(parts[1], (second) =>
      withFile(`file '${first}'\nfile '${second}'\n`, (list) =>
        makeClip('call.webm', ['-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy']),
      ),
    ),
  )
}

const CHANGES: [string, () => Promise<Buffer>][] = [
  ['frame size, in a broadcast', () => broadcast({}, { size: '128x96' })],
  ['frame size, in a call', once(() => call({}, { size: '128x96' }))],
  ['frame size, in a recorded broadcast', once(recording)],
  ['channels', () => broadcast({}, { channels: 'stereo' })],
  ['sample rate', () => broadcast({ rate: 44_100 }, {})],
  [
    'channels of AC-3',
    () => broadcast({ channels: 'stereo', codecs: AC3 }, { channels: '5.1', codecs: AC3 }),
  ],
  [
    'frame size, channels and sample rate',
    () => broadcast({}, { size: '128x96', channels: 'stereo', rate: 44_100 }),
  ],
  ['clock, which restarts', () => broadcast({}, {}, 0)],
]

/** Returns the number of each second shown in a result, with its start time. */
async function secondsSeen(path: string): Promise<{ at: number; second: number }[]> {
  const frames = await frameLevels(path)
  const shown = frames.map(({ seconds, level }) => ({ at: seconds, second: Math.round((level - 16) / 20) }))
  return shown.filter(({ second }, position) => shown[position - 1]?.second !== second)
}

/** The frame displayed at the start of a cut may be the last frame of the previous second. */
const TOLERANCE_SECONDS = 0.15

async function requireSeconds(path: string, first: number, count: number, pace = 1) {
  const seen = (await secondsSeen(path)).filter(({ second }) => second >= first && second < first + count)
  expect(seen.map(({ second }) => second)).toEqual(Array.from({ length: count }, (_, index) => first + index))
  for (const { at, second } of seen)
    expect(Math.abs(at - (second - first) / pace)).toBeLessThan(TOLERANCE_SECONDS)
}

async function requireClicks(path: string, count: number, pace = 1) {
  const clicks = await clickTimes(path)
  expect(clicks).toHaveLength(count)
  for (const [index, at] of clicks.entries())
    expect(Math.abs(at - (index + 0.5) / pace)).toBeLessThan(TOLERANCE_SECONDS)
}

async function requireWhole(content: Buffer, spec: JobSpec, first: number, count: number, pace = 1) {
  const { path, output, percents } = await operate(content, spec)
  expect(Math.abs(output.duration_seconds - count / pace)).toBeLessThan(TOLERANCE_SECONDS)
  await requireSeconds(path, first, count, pace)
  await requireClicks(path, count, pace)
  expect(percents).toEqual([...percents].sort((one, other) => one - other))
}

describe.each(CHANGES)('a file that changes its %s', (_, make) => {
  test.each<[JobSpec, number, number]>([
    [['compress', { preset: 'ultrafast', crf: 28 }], 0, 8],
    [['trim', { start: 2, duration: 4 }], 2, 4],
  ])('%j has the expected duration and order', async ([...spec], first, count) => {
    await requireWhole(await make(), spec, first, count)
  })

  test('animations have the expected order, and frames match their timestamps', async () => {
    const content = await make()
    await requireSeconds((await carryOut(content, ['gif', { start: 2, duration: 4 }])).path, 2, 4)
    const { path } = await carryOut(content, ['thumbnail', { at: 6.5, format: 'png' }])
    const [gray] = (await decodeFrame(await readFile(path))).colorAt(32, 24)
    expect(Math.abs(gray - (20 * 6 * 255) / 219)).toBeLessThan(6)
  })
})

test.each<[JobSpec, number, number, number]>([
  [['speed', { factor: 2 }], 0, 8, 2],
  [['circle', { start: 2, duration: 4, diameter: 64 }], 2, 4, 1],
])('%j is complete if frame size, channels and sample rate change', async ([...spec], first, count, pace) => {
  const content = await broadcast({}, { size: '128x96', channels: 'stereo', rate: 44_100 })
  await requireWhole(content, spec, first, count, pace)
})

test('keeps the frame size of a call in which a phone is rotated, by adding bars', async () => {
  const turned = await call({ size: '96x64' }, { size: '64x96' })
  const { path, output } = await operate(turned, ['compress', { crf: 28 }])
  expect(output.video).toMatchObject({ width: 96, height: 64 })
  const frame = await decodeFrame(await readFile(path), 6.5)
  expect(frame.colorAt(5, 32)[0]).toBeLessThan(10)
  expect(frame.colorAt(48, 32)[0]).toBeGreaterThan(100)
})

describe('audio whose format changes', () => {
  const audioClip = (name: string, source: string, later: string[] = []) =>
    makeClip(name, [
      ...['-f', 'lavfi', '-i', 'color=black:s=64x48:r=25:d=4', '-f', 'lavfi', '-i', source],
      ...[...AAC, ...later],
    ])

  test('is transcribed with correct times and measured completely', async () => {
    const content = Buffer.concat([
      await audioClip('tone.ts', 'aevalsrc=0.3*sin(2500*t)|0.3*sin(2500*t):d=4:s=48000'),
      await audioClip('silence.ts', 'anullsrc=channel_layout=mono:sample_rate=44100,atrim=end=4', [
        ...['-output_ts_offset', '4.1'],
      ]),
    ])
    const { run, input } = await carryOut(content, ['thumbnail'])
    const [track] = input.audio
    if (track === undefined) throw new Error('the clip has no audio')
    const wav = await readFile(await extractSpeech(track, run))
    expect((wav.length - HEADER_BYTES) / 2 / SAMPLES_PER_SECOND).toBeCloseTo(8.1, 0)
    const [loudness] = await measureLoudness(input, {}, run, () => {})
    expect(loudness?.source_lufs).toBeGreaterThan(-20)
  })

  test('is refused as an added track, with a reason', async () => {
    const jobs = await startJobRunner()
    onTestFinished(() => jobs.close())
    const music = Buffer.concat([
      await audioClip('tone.ts', 'aevalsrc=0.3*sin(2500*t):d=4:s=48000'),
      await audioClip('tones.ts', 'aevalsrc=0.3*sin(2500*t)|0:d=4:s=48000', ['-output_ts_offset', '4.1']),
    ])
    const params = { tracks: [{ url: 'https://example.com/music' }] }
    const input = await makeClip('eight.mp4', ['-f', 'lavfi', '-i', 'color=black:s=64x48:r=25:d=8', ...H264])
    const files = { input, '0-tracks.0.url': music }
    expect(await jobs.fail({ operation_key: 'add_audio', params }, files)).toMatch(
      /^The channels or the sample rate of the added audio change/,
    )
  })
})

test('does not seek if the clock restarts', async () => {
  const gray = `color=black:s=64x48:r=10:d=45,geq=lum='16+4*floor(N/10)':cb=128:cr=128`
  const half = await makeClip('half.ts', ['-f', 'lavfi', '-i', gray, ...H264])
  const content = Buffer.concat([half, half])
  const { path, input } = await operate(content, ['trim', { start: 80, duration: 5 }])
  expect(input.duration_seconds).toBeCloseTo(90, 0)
  const levels = (await frameLevels(path)).map(({ level }) => Math.round((level - 16) / 4))
  expect([levels.length, levels[1], levels.at(-1)]).toEqual([50, 35, 39])
  for (const at of [40.5, 80.5]) {
    const { path: thumbnail } = await carryOut(content, ['thumbnail', { at, format: 'png' }])
    const [shown] = (await decodeFrame(await readFile(thumbnail))).colorAt(32, 24)
    expect(Math.abs(shown - (4 * (Math.floor(at) % 45) * 255) / 219)).toBeLessThan(4)
  }
})
