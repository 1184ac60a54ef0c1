/** @module-tag extended */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { box, replaceBoxes } from '../testing/boxes.ts'
import { makeClip } from '../testing/clips.ts'
import { type JobRunner, startJobRunner } from '../testing/run-job.ts'

let runner: JobRunner
beforeAll(async () => {
  runner = await startJobRunner()
})
afterAll(() => runner.close())

type JobSpec = [operation_key: string, params?: Record<string, unknown>]

async function bodyOf([operation_key, params = {}]: JobSpec, input: Buffer) {
  const { outcome } = await runner.run({ operation_key, params }, { input })
  return outcome.body
}

const videoInput = (seconds: number) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=duration=${seconds}:size=128x96:rate=10`,
]
const audioInput = (seconds: number) => ['-f', 'lavfi', '-i', `anoisesrc=duration=${seconds}:seed=1`]
const text = (format: string, content: string) => [
  ...['-f', format, '-i', `data:text/plain;base64,${Buffer.from(content).toString('base64')}`],
]
const captions = (seconds: number) =>
  text('srt', `1\n00:00:01,000 --> 00:00:02,000\nFirst\n\n2\n00:00:04,000 --> 00:00:${seconds},000\nLast\n`)
const CHAPTERS = text('ffmetadata', ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=10\ntitle=All\n')
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '10', '-c:a', 'aac']
const AT_ONCE = ['-movflags', '+faststart']
const maps = (count: number) => Array.from({ length: count }, (_, input) => ['-map', `${input}`]).flat()

const captioned = (name: string, seconds: number, codec: string) =>
  makeClip(name, [
    ...[...videoInput(6), ...audioInput(6), ...captions(seconds)],
    ...[...maps(3), ...H264, '-c:s', codec],
  ])
const twoAudioTracks = () =>
  makeClip('two.mp4', [...videoInput(6), ...audioInput(6), ...audioInput(20), ...maps(3), ...H264])
const longAudio = () => makeClip('long-audio.mp4', [...videoInput(4), ...audioInput(6), ...maps(2), ...H264])
const slides = () =>
  makeClip('slides.mkv', [...videoInput(6), ...audioInput(2), ...maps(2), '-vf', 'fps=1/3', ...H264])

test.each<[string, JobSpec, () => Promise<Buffer>, number]>([
  ['with longer subtitles', ['compress'], () => captioned('longer.mkv', 12, 'srt'), 6],
  ['with much longer subtitles', ['faststart'], () => captioned('longer.mov', 30, 'mov_text'), 6],
  ['with a longer second audio track', ['compress'], twoAudioTracks, 6],
  ['that loses its longer audio', ['mute'], longAudio, 4],
  ['of slides with shorter audio', ['extract_audio'], slides, 2],
  ['of slides', ['faststart'], slides, 6],
])('reports nothing missing from a complete video %s: %j', async (_name, spec, make, seconds) => {
  const body = await bodyOf(spec, await make())
  expect(body.missing_seconds).toBeUndefined()
  expect(body.duration_seconds).toBeCloseTo(seconds, 0)
})

const whole = (name = 'whole.mp4') =>
  makeClip(name, [...videoInput(10), ...audioInput(10), ...maps(2), ...H264, ...AT_ONCE])
const chaptered = () =>
  makeClip('chapters.mp4', [
    ...[...videoInput(10), ...audioInput(10), ...CHAPTERS, '-map', '0', '-map', '1', '-map_metadata', '2'],
    ...[...H264, ...AT_ONCE],
  ])
const silent = () => makeClip('silent.mp4', [...videoInput(10), ...H264, ...AT_ONCE])

test.each<[string, JobSpec, () => Promise<Buffer>, { left: number; missing: number }]>([
  ['with chapters', ['faststart'], chaptered, { left: 5, missing: 5 }],
  ['in Matroska', ['faststart'], () => whole('whole.mkv'), { left: 5, missing: 5 }],
  ['with audio', ['speed', { factor: 2 }], whole, { left: 2.5, missing: 5 }],
  ['with audio', ['mute'], whole, { left: 5, missing: 5 }],
  ['with audio', ['extract_audio'], whole, { left: 5, missing: 5 }],
  ['with audio', ['gif', { duration: 8 }], whole, { left: 5, missing: 5 }],
  ['with audio', ['trim', { start: 1, duration: 8 }], whole, { left: 4, missing: 5 }],
  ['with audio', ['trim', { start: 1, duration: 2 }], whole, { left: 2, missing: 5 }],
  ['without audio', ['faststart'], silent, { left: 5, missing: 5 }],
])('reports the missing seconds of a video %s truncated to half: %j', async (_name, spec, make, expected) => {
  const content = await make()
  const { duration_seconds, missing_seconds } = await bodyOf(
    spec,
    content.subarray(0, Math.ceil(content.length / 2)),
  )
  // Half of the bytes contain about half of the duration.
  expect(Math.abs(Number(duration_seconds) - expected.left)).toBeLessThan(0.8)
  expect(Math.abs(Number(missing_seconds) - expected.missing)).toBeLessThan(0.8)
})

test('does not extend the last variable-rate frame if the index lists missing samples', async () => {
  const drop = ['-vf', "select='mod(n,7)'", '-fps_mode', 'vfr']
  const content = await makeClip('uneven.mp4', [...videoInput(10), ...drop, ...H264])
  const half = replaceBoxes(content, 'mdat', (body) => box('mdat', body.subarray(0, body.length / 2)))
  const { duration_seconds, missing_seconds } = await bodyOf(['compress', { crf: 30 }], half)
  expect(Math.abs(Number(duration_seconds) - 5)).toBeLessThan(0.8)
  expect(Math.abs(Number(missing_seconds) - 5)).toBeLessThan(0.8)
})
