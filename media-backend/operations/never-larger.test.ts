/** @module-tag extended */

import { stat } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { operate, packetHashes } from '../testing/operate.ts'

/** Moving detail at a low bit rate. Encoding it as H.264 at a fixed quality would make it larger. */
const SOURCES = [
  ...['-f', 'lavfi', '-i', 'testsrc2=duration=2:size=320x180:rate=25,noise=alls=20:allf=t:all_seed=1'],
  ...['-f', 'lavfi', '-i', 'sine=duration=2'],
]
const CODECS = {
  'vp8.webm': [
    '-c:v',
    'libvpx',
    '-b:v',
    '80k',
    '-deadline',
    'realtime',
    '-cpu-used',
    '8',
    '-c:a',
    'libopus',
    '-b:a',
    '32k',
  ],
  'vp9.webm': [
    '-c:v',
    'libvpx-vp9',
    '-b:v',
    '80k',
    '-deadline',
    'realtime',
    '-cpu-used',
    '8',
    '-c:a',
    'libopus',
    '-b:a',
    '32k',
  ],
  'h264.mp4': ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-crf', '42', '-c:a', 'aac', '-b:a', '32k'],
  'h264.ts': ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-crf', '42', '-c:a', 'aac', '-b:a', '32k'],
}

test.each([
  ['vp8.webm', 'webm'],
  ['vp9.webm', 'webm'],
  ['h264.mp4', 'mp4'],
  ['h264.ts', 'mp4'],
] as const)('compress copies %s into an %s if encoding would make it larger', async (name, extension) => {
  const clip = await makeClip(name, [...SOURCES, ...CODECS[name]])
  const { plan, source, path } = await operate(clip, ['compress', { level: 'light' }])
  expect(plan).toMatchObject({ encode_mode: 'remux', body: { input_kept: true } })
  expect(path.endsWith(`.${extension}`)).toBe(true)
  expect((await stat(path)).size).toBeLessThan(clip.length * 1.02)
  expect(await packetHashes(path, 'v')).toHaveLength((await packetHashes(source, 'v')).length)
})

test('compress encodes if a quality is requested, even if the result is larger', async () => {
  const clip = await makeClip('h264.mp4', [...SOURCES, ...CODECS['h264.mp4']])
  const { plan, path } = await operate(clip, ['compress', { crf: 18 }])
  expect(plan.encode_mode).toBe('encode')
  expect((await stat(path)).size).toBeGreaterThan(clip.length)
})

test('compress encodes a video that becomes smaller', async () => {
  const large = [
    ...['-c:v', 'libx264', '-preset', 'ultrafast'],
    '-pix_fmt',
    'yuv420p',
    '-crf',
    '5',
    '-c:a',
    'aac',
  ]
  const clip = await makeClip('large.mp4', [...SOURCES, ...large])
  const { plan, path } = await operate(clip, ['compress'])
  expect(plan.encode_mode).toBe('encode')
  expect(plan.body).not.toHaveProperty('input_kept')
  expect((await stat(path)).size).toBeLessThan(clip.length)
})
