/** @module-tag extended */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { largeVideo, makeClip, video } from '../testing/clips.ts'
import { type JobRunner, startJobRunner } from '../testing/run-job.ts'
import { talk } from '../testing/speech.ts'
import { startProgress } from './progress.ts'

let runner: JobRunner

beforeAll(async () => {
  runner = await startJobRunner({ ALLOW_PRIVATE_SOURCES: 'true' })
})
afterAll(() => runner.close())

/** Runs a job and checks that its progress never decreases and ends at 100. */
async function runJob(operation_key: string, params: Record<string, unknown>, input: Buffer) {
  const { percents, reported_ms } = await runner.run({ operation_key, params }, { input })
  expect(percents).toEqual([...percents].sort((one, other) => one - other))
  expect(percents.at(-1)).toBe(100)
  const moved_ms = reported_ms.filter(
    (_, index) => index === 0 || (percents[index] ?? 0) > (percents[index - 1] ?? 0),
  )
  const gaps_ms = moved_ms.slice(1).map((at_ms, index) => at_ms - (moved_ms[index] ?? 0))
  return { percents, gap_ms_max: Math.max(...gaps_ms) }
}

const between = (percents: number[], least: number, most: number) =>
  percents.filter((percent) => percent > least && percent < most)

test('reports the progress of a GIF while building its palette and while writing', async () => {
  const params = { duration: 20, fps: 12, width: 160, dither: 'smooth' }
  const { percents } = await runJob('gif', params, await video(25, '160x90'))
  // Each pass reports 240 frames. The time per frame depends on the machine, but no report may skip many frames.
  const steps = percents.map((percent, index) => percent - (percents[index - 1] ?? 0))
  expect(Math.max(...steps)).toBeLessThan(5)
})

test('reports the progress of enhance_voice while measuring and while writing, without a long pause', async () => {
  const audioInput = 'anoisesrc=duration=60:amplitude=0.1:seed=1'
  const videoInput = [
    '-f',
    'lavfi',
    '-i',
    'color=duration=60:size=64x64:rate=5',
    '-f',
    'lavfi',
    '-i',
    audioInput,
  ]
  const input = await makeClip('noise-60.mp4', [...videoInput, '-c:v', 'libx264', '-preset', 'ultrafast'])
  const { percents, gap_ms_max } = await runJob('enhance_voice', {}, input)
  // One measuring pass can be shorter than the report interval, so both passes are checked together.
  expect(between(percents, 0, 51)).not.toEqual([])
  expect(between(percents, 50, 100)).not.toEqual([])
  expect(gap_ms_max).toBeLessThan(10_000)
})

test('reports the progress of a transcription', async () => {
  const { percents } = await runJob('transcribe', {}, await talk())
  // Reports are sent twice per second, and this short clip takes less than two seconds.
  expect(between(percents, 10, 95)).not.toEqual([])
})

test('reports the progress of an import before its size is known', async () => {
  const url = `${runner.server.url}/media-files/imported`
  runner.server.objects.set('imported', await largeVideo())
  const { percents } = await runner.run({ operation_key: 'mute', source: { kind: 'url', url } })
  expect(between(percents, 0, 10).length).toBeGreaterThan(20)
  expect(percents).toEqual([...percents].sort((one, other) => one - other))
})

test('divides the remaining progress among the parts, keeps unreported progress, and never decreases', () => {
  const percents: number[] = []
  const progress = startProgress((percent) => percents.push(percent))
  progress.begin(0.5)
  const reportSecond = progress.begin(0.5)
  for (const fraction of [0.5, 0.2, 0.8, 0.8]) reportSecond(fraction)
  const reportThird = progress.begin(0.5)
  for (const fraction of [0, 1, 2]) reportThird(fraction)
  progress.begin(1)(1)
  expect(percents).toEqual([25, 40, 70, 100])
})
