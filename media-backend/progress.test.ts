import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClip, video } from './testing/clips.ts'
import { type JobRunner, startJobRunner } from './testing/run-job.ts'
import { talk } from './testing/speech.ts'

/** ffmpeg tells every half a second; the rest is patience with a machine that has more to do. */
const GAP_MS_MAX = 1500

let runner: JobRunner

beforeAll(async () => {
  runner = await startJobRunner()
})
afterAll(() => runner.close())

/** What a job told of its progress: never less than before, 100 at the end, in time. */
async function percentsOf(operation_key: string, params: Record<string, unknown>, input: Buffer) {
  const { percents, told_ms } = await runner.run({ operation_key, params }, { input })
  if (process.env.SHOW)
    console.log(
      operation_key,
      percents.map((p, i) => `${p.toFixed(1)}@${Math.round(told_ms[i] ?? 0)}`).join(' '),
    )
  expect(percents).toEqual([...percents].sort((one, other) => one - other))
  expect(percents.at(-1)).toBe(100)
  const gaps_ms = told_ms.slice(1).map((at_ms, index) => at_ms - (told_ms[index] ?? 0))
  expect(Math.max(...gaps_ms)).toBeLessThan(GAP_MS_MAX)
  return percents
}

const between = (percents: number[], least: number, most: number) =>
  percents.filter((percent) => percent > least && percent < most).length

test('a gif whose palette takes a run of its own tells of both', async () => {
  const percents = await percentsOf('gif', { duration: 20, fps: 5, width: 1280 }, await video(20))
  expect(between(percents, 0, 50)).toBeGreaterThan(0)
  expect(between(percents, 50, 100)).toBeGreaterThan(0)
})

test('enhance_voice tells of both passes that measure, and of the one that writes', async () => {
  const sound = 'anoisesrc=duration=240:amplitude=0.1:seed=1'
  const picture = ['-f', 'lavfi', '-i', 'color=duration=240:size=64x64:rate=5', '-f', 'lavfi', '-i', sound]
  const input = await makeClip('noise-240.mp4', [...picture, '-c:v', 'libx264', '-preset', 'ultrafast'])
  const percents = await percentsOf('enhance_voice', {}, input)
  for (const start of [0, 25, 50]) expect(between(percents, start, start + 25)).toBeGreaterThan(0)
})

test('transcribe tells how far it has listened', async () => {
  const percents = await percentsOf('transcribe', {}, await talk())
  expect(between(percents, 10, 90)).toBeGreaterThan(0)
})

test('subtitles count for nothing beside the video that they are burnt into', async () => {
  const input = await video(10, '640x360')
  const percents = await percentsOf('cover', { title: 'A title' }, input)
  expect(percents.length).toBeGreaterThan(0)
})
