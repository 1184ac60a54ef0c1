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

/** What a job told of its progress: never less than before, and 100 at the end. */
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

test('a gif tells of its palette and of its writing, and stands still over neither', async () => {
  const params = { duration: 20, fps: 12, width: 480, dither: 'smooth' }
  const { percents } = await runJob('gif', params, await video(40))
  // Both are told frame by frame, 240 of them. How long a frame takes is the machine's affair, but none is
  // told together with many others.
  const steps = percents.map((percent, index) => percent - (percents[index - 1] ?? 0))
  expect(Math.max(...steps)).toBeLessThan(5)
})

test('enhance_voice tells of its measuring and of its writing, without a long silence', async () => {
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
  // One pass of measuring may be shorter than a period of reports, so the two are looked at together.
  expect(between(percents, 0, 51)).not.toEqual([])
  expect(between(percents, 50, 100)).not.toEqual([])
  expect(gap_ms_max).toBeLessThan(3000)
})

test('transcribe tells how far it has listened', async () => {
  const { percents } = await runJob('transcribe', {}, await talk())
  // It is told twice a second, and such a short talk is heard in less than two.
  expect(between(percents, 10, 95)).not.toEqual([])
})

test('an import tells of what arrived before anything is known of it', async () => {
  const url = `${runner.server.url}/media-files/imported`
  runner.server.objects.set('imported', await largeVideo())
  const { percents } = await runner.run({ operation_key: 'mute', source: { kind: 'url', url } })
  expect(between(percents, 0, 10).length).toBeGreaterThan(20)
  expect(percents).toEqual([...percents].sort((one, other) => one - other))
})

test('each part is a share of what is left, what was not told of one is left, and nothing goes back', () => {
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
