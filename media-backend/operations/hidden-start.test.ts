/** @module-tag extended */

import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { withFile } from '../testing/describe-image.ts'
import { carryOut, frameLevels, inspect, type JobSpec } from '../testing/operate.ts'
import { readTones } from '../testing/tones.ts'

/** Frame N has brightness 16 + 2N. The tone is 440 Hz during the first second and 880 Hz after that. */
const SOURCES = [
  ...['-f', 'lavfi', '-i', "color=black:s=64x64:r=25:d=4,geq=lum='16+2*N':cb=128:cr=128"],
  ...['-f', 'lavfi', '-i', "aevalsrc='0.3*sin(2*PI*if(lt(t,1),440,880)*t)':d=4:s=48000"],
]

/** Makes a clip whose edit list hides the first second, as phones do when trimming. */
async function hiddenStart(): Promise<Buffer> {
  const whole = await makeClip('whole.mp4', [
    ...SOURCES,
    '-c:v',
    'libx264',
    '-qp',
    '0',
    '-g',
    '50',
    '-c:a',
    'aac',
  ])
  return withFile(whole, (path) => makeClip('hidden.mp4', ['-ss', '1', '-i', path, '-c', 'copy']))
}

test.each<[JobSpec, string]>([
  [['convert', { format: 'mkv' }], 'encode'],
  [['strip_metadata'], 'remux'],
  [['faststart'], 'remux'],
  [['trim', { duration: 2 }], 'remux'],
])('keeps the hidden start of an MP4 hidden with %j', async (spec, mode) => {
  const { path, plan } = await carryOut(await hiddenStart(), spec)
  expect(plan.encode_mode).toBe(mode)
  const [first] = await frameLevels(path)
  expect(Math.abs((first?.level ?? 0) - 66)).toBeLessThan(1.5)
  const level = await readTones(path)
  expect(level(880, 0.1, 0.9)).toBeGreaterThan(level(440, 0.1, 0.9) + 20)
  const { format } = await inspect(path)
  expect(Math.abs(Number(format.duration) - (spec[0] === 'trim' ? 2 : 3))).toBeLessThan(0.1)
})

test.each([
  [0.3, 'encode', 0.3],
  // The keyframe is displayed at 1 s.
  [1.5, 'remux', 1],
])('a stream-copied part from %s s starts without hidden frames', async (start, mode, first_seconds) => {
  const { path, plan } = await carryOut(await hiddenStart(), ['trim', { start, precise: false }])
  expect(plan.encode_mode).toBe(mode)
  const [first] = await frameLevels(path)
  expect(Math.abs((first?.level ?? 0) - (66 + 50 * first_seconds))).toBeLessThan(2.5)
})

test('refuses to copy a video with hidden frames into Matroska', async () => {
  const spec: JobSpec = ['convert', { format: 'mkv', vcodec: 'copy' }]
  await expect(carryOut(await hiddenStart(), spec)).rejects.toThrow('vcodec: copy is not possible')
})

test('does not treat reordered frames as hidden', async () => {
  const clip = await makeClip('plain.mp4', [...SOURCES, '-c:v', 'libx264', '-bf', '2', '-c:a', 'aac'])
  const { plan, input } = await carryOut(clip, ['convert', { format: 'mkv' }])
  expect(input.hides_start).toBeUndefined()
  expect(plan.encode_mode).toBe('remux')
})

/**
 * Makes a video with B-frames that displays only 1.5 s. Decoding the last displayed frames requires a hidden frame.
 */
async function hiddenEnd(start: number): Promise<Buffer> {
  const frames = ['-qp', '1', '-g', '50', '-bf', '3', '-x264-params', 'b-adapt=0', '-pix_fmt', 'yuv420p']
  const whole = await makeClip('frames.mp4', [...SOURCES, '-c:v', 'libx264', ...frames, '-c:a', 'aac'])
  const clip = await withFile(whole, (path) =>
    makeClip('end.mp4', ['-ss', String(start), '-i', path, '-c', 'copy']),
  )
  // All durations are in milliseconds. ISO 14496-12, 8.2.2, 8.3.2 and 8.6.6.
  for (const [type, offset] of [
    ['mvhd', 20],
    ['tkhd', 24],
    ['elst', 12],
  ] as const)
    for (let at = clip.indexOf(type); at !== -1; at = clip.indexOf(type, at + 4))
      clip.writeUInt32BE(SHOWN_SECONDS * 1000, at + offset)
  return clip
}

const SHOWN_SECONDS = 1.5

test.each<[start: number, spec: JobSpec]>([
  [1, ['faststart']],
  [1, ['mute']],
  [1, ['trim', {}]],
  [0, ['faststart']],
  [0, ['trim', {}]],
])('keeps the hidden end of an MP4 that starts at %s s hidden in a copy: %j', async (start, spec) => {
  const { path, plan, input } = await carryOut(await hiddenEnd(start), spec)
  expect(plan.encode_mode).toBe('remux')
  expect(input.duration_seconds).toBeCloseTo(SHOWN_SECONDS, 1)
  const frames = await frameLevels(path)
  const seen = frames.filter(({ seconds }) => seconds < SHOWN_SECONDS - 0.01)
  expect(seen.length).toBeGreaterThan(36)
  expect(frames.at(-1)?.seconds).toBeLessThan(SHOWN_SECONDS + 0.05)
})

test('encodes a video with a hidden end for Matroska', async () => {
  const { path, plan } = await carryOut(await hiddenEnd(0), ['convert', { format: 'mkv' }])
  expect(plan.encode_mode).toBe('audio_copy')
  expect((await frameLevels(path)).at(-1)?.seconds).toBeLessThan(SHOWN_SECONDS + 0.01)
})
