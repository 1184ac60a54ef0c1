/** @module-tag extended */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { carryOut, inspect, operate, readPackets } from '../testing/operate.ts'
import { readTones } from '../testing/tones.ts'

const execute = promisify(execFile)

const text = (format: string, content: string) => [
  ...['-f', format, '-i', `data:text/plain;base64,${Buffer.from(content).toString('base64')}`],
]
const CUES = text(
  'srt',
  '1\n00:00:01,000 --> 00:00:03,000\nFirst\n\n2\n00:00:12,000 --> 00:00:20,000\nSecond\n',
)
const CHAPTERS = text(
  'ffmetadata',
  `;FFMETADATA1\n${[0, 8, 16].map((start) => `[CHAPTER]\nTIMEBASE=1/1\nSTART=${start}\nEND=${start + 8}\n`).join('')}`,
)
const SOURCES = [
  ...['-f', 'lavfi', '-i', 'testsrc2=duration=24:size=128x96:rate=25'],
  ...['-f', 'lavfi', '-i', 'sine=duration=24', ...CUES, ...CHAPTERS],
]
/** Encoder options that produce a keyframe every four seconds. */
const CODECS = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '100', '-c:a', 'aac']
const TRACKS = ['-map', '0', '-map', '1', '-map', '2', '-map_chapters', '3']

const clip = (extension: 'mp4' | 'mkv') =>
  makeClip(`cues.${extension}`, [
    ...[...SOURCES, ...TRACKS, ...CODECS],
    ...['-sc_threshold', '0', '-c:s', extension === 'mp4' ? 'mov_text' : 'srt'],
  ])

interface Cue {
  start: number
  end: number
}

/** Returns the display times of the subtitles. MP4 stores empty samples between them. */
async function cuesOf(path: string): Promise<Cue[]> {
  const shown = [
    '-select_streams',
    's',
    '-show_entries',
    'packet=pts_time,duration_time,size',
    '-of',
    'csv=p=0',
  ]
  const { stdout } = await execute('ffprobe', ['-v', 'error', ...shown, path])
  const packets = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(',').map(Number))
  return packets
    .filter(([, , size = 0]) => size > 2)
    .map(([start = 0, seconds = 0]) => ({ start, end: start + seconds }))
}

test.each(['mp4', 'mkv'] as const)(
  'a stream-copied part of an .%s keeps subtitles and chapters in sync with its frames, and starts immediately',
  async (extension) => {
    const { path, source, plan } = await carryOut(await clip(extension), [
      'trim',
      { start: 15.5, duration: 3, precise: false },
    ])
    expect(plan.encode_mode).toBe('remux')
    const [part, whole] = [await readPackets(path), await readPackets(source)]
    expect(whole.v.join(' ')).toContain(part.v.join(' '))
    const { format, streams, chapters } = await inspect(path)
    const video = streams.find(({ codec_type }) => codec_type === 'video')
    expect(Number(video?.start_time)).toBeLessThan(0.2)
    // The part runs from the keyframe at 12 s to 18.5 s, give or take audio packets and reordered frames.
    expect(Math.abs(Number(format.duration) - 6.5)).toBeLessThan(0.3)
    const cues = await cuesOf(path)
    expect(cues).toHaveLength(1)
    expect(Math.abs((cues[0]?.start ?? 9) - 0)).toBeLessThan(0.2)
    expect(Math.abs((cues[0]?.end ?? 9) - 6.5)).toBeLessThan(0.3)
    const starts = (chapters as { start_time: string }[]).map(({ start_time }) => Number(start_time))
    expect(starts).toHaveLength(2)
    expect(Math.abs((starts[1] ?? 0) - 4)).toBeLessThan(0.2)
  },
)

test.each(['mp4', 'mkv'] as const)(
  'keeps the rest of a subtitle that is displayed before the first frame of an .%s part',
  async (extension) => {
    const spec = { start: 17, duration: 2, precise: false }
    const { path } = await carryOut(await clip(extension), ['trim', spec])
    // The keyframe is at 16 s, the subtitle starts at 12 s, and the part ends at 19 s.
    const cues = await cuesOf(path)
    expect(cues).toHaveLength(1)
    expect(Math.abs((cues[0]?.start ?? 9) - 0)).toBeLessThan(0.2)
    expect(Math.abs((cues[0]?.end ?? 9) - 3)).toBeLessThan(0.3)
    expect(Math.abs(Number((await inspect(path)).format.duration) - 3)).toBeLessThan(0.3)
  },
)

test.each(['mp4', 'mkv'] as const)(
  'starts a stream-copied part of an .%s at a keyframe shortly before the requested start',
  async (extension) => {
    const spec = { start: 16.1, duration: 3, precise: false }
    const { path } = await carryOut(await clip(extension), ['trim', spec])
    expect(Math.abs(Number((await inspect(path)).format.duration) - 3.1)).toBeLessThan(0.2)
  },
)

test('starts the audio of a stream-copied part of an AVI with its first frame', async () => {
  // Cameras store audio in one-second chunks.
  const chunks = ['-c:a', 'pcm_s16le', '-af', 'asetnsamples=n=44100']
  const args = ['-f', 'lavfi', '-i', 'testsrc2=duration=6:size=128x96:rate=25', '-f', 'lavfi']
  const content = await makeClip('chunks.avi', [
    ...[...args, '-i', 'aevalsrc=0.3*sin(880*PI*t)*gt(t\\,2.8):d=6', '-c:v', 'mjpeg', ...chunks],
  ])
  const { path, plan } = await carryOut(content, ['trim', { start: 2.6, duration: 2, precise: false }])
  expect(plan.encode_mode).toBe('remux')
  const { streams, format } = await inspect(path)
  expect(Math.abs(Number(format.duration) - 2)).toBeLessThan(0.1)
  for (const { start_time } of streams) expect(Number(start_time)).toBeLessThan(0.05)
  const level = await readTones(path)
  expect(level(440, 0.25, 1.9)).toBeGreaterThan(level(440, 0, 0.15) + 40)
})

test.each(['mp4', 'mkv'] as const)(
  'ends a subtitle at the end of a part of an .%s that starts at 0',
  async (extension) => {
    const { path, output } = await operate(await clip(extension), ['trim', { duration: 14 }])
    expect(Math.abs(Number((await inspect(path)).format.duration) - 14)).toBeLessThan(0.3)
    expect(output.duration_seconds).toBeCloseTo(14, 0)
    const ends = (await cuesOf(path)).map(({ end }) => Math.round(end))
    expect(ends).toEqual([3, 14])
  },
)

test('ends a subtitle that outlasts the video at the end of the part', async () => {
  const { path, output } = await operate(await clip('mp4'), ['trim', { start: 17, precise: false }])
  const seconds = Number((await inspect(path)).format.duration)
  expect(Math.abs(seconds - output.duration_seconds)).toBeLessThan(0.3)
})

test('copies all of a truncated video although its subtitles are missing', async () => {
  const noise = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=duration=24:size=320x180:rate=25,noise=alls=60:allf=t:all_seed=1',
  ]
  const [, , , , ...others] = SOURCES
  // A late subtitle is stored near the end of the file, and so is the empty sample before it.
  const content = await makeClip('late-lines.mp4', [
    ...[...noise, ...others, ...TRACKS, ...CODECS, '-preset', 'ultrafast'],
    ...['-c:s', 'mov_text', '-movflags', '+faststart'],
  ])
  const half = content.subarray(0, Math.floor(content.length / 2))
  const { output, input, path } = await operate(half, ['mute'])
  expect(Number(input.missing_seconds)).toBeGreaterThan(8)
  expect(output.duration_seconds).toBeGreaterThan(10)
  expect(Math.abs(Number((await inspect(path)).format.duration) - input.duration_seconds)).toBeLessThan(0.3)
})

test('encodes a part after another operation, even if a copy was requested', async () => {
  const spec = { start: 17, duration: 2, precise: false }
  const { plan, output } = await operate(await clip('mp4'), ['compress'], ['trim', spec])
  expect(plan.encode_mode).toBe('encode')
  expect(output.duration_seconds).toBeCloseTo(2, 1)
})

test.each([
  ['mp4', 'thumbnail', { at: 15 }, 'at'],
  ['mkv', 'thumbnail', { at: 15 }, 'at'],
  ['mp4', 'trim', { start: 15 }, 'start'],
  ['mkv', 'trim', { start: 15, precise: false }, 'start'],
  ['mp4', 'gif', { start: 15 }, 'start'],
  ['mkv', 'circle', { start: 15 }, 'start'],
  ['mp4', 'cover', { at: 15, title: 'Text' }, 'at'],
])(
  'refuses a start after the video of an .%s whose subtitles continue: %s %j',
  async (extension, key, params, field) => {
    const content = await makeClip(`ten.${extension}`, [
      ...[...SOURCES, ...TRACKS, ...CODECS, '-t:v', '10', '-t:a', '10'],
      ...['-c:s', extension === 'mp4' ? 'mov_text' : 'srt', '-map_chapters', '-1'],
    ])
    await expect(carryOut(content, [key, params])).rejects.toThrow(
      `${field}: ${field} is 15 s, but the video is only 10`,
    )
  },
)

test.each([
  ['mp4', 'thumbnail', { at: 20 }, 'at'],
  ['mov', 'thumbnail', { at: 20 }, 'at'],
  ['mkv', 'thumbnail', { at: 20 }, 'at'],
  ['mp4', 'trim', { start: 20, precise: false }, 'start'],
  ['mkv', 'trim', { start: 20, precise: false }, 'start'],
  ['mkv', 'gif', { start: 20 }, 'start'],
  ['mp4', 'circle', { start: 20 }, 'start'],
])('refuses a start after the end of a truncated .%s: %s %j', async (extension, key, params, field) => {
  const tracks = ['-map', '0', '-map', '1', '-map_metadata', '-1', '-map_chapters', '-1']
  const content = await makeClip(`off.${extension}`, [
    ...SOURCES,
    ...tracks,
    ...CODECS,
    '-movflags',
    '+faststart',
  ])
  const half = content.subarray(0, Math.floor(content.length / 2))
  await expect(carryOut(half, [key, params])).rejects.toThrow(
    new RegExp(`^${field}: ${field} is 20 s, but the file is truncated and has only the first 1[0-4]`),
  )
})
