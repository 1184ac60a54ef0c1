/** @module-tag extended */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClip } from '../testing/clips.ts'
import { type JobRunner, startJobRunner } from '../testing/run-job.ts'

let runner: JobRunner
beforeAll(async () => {
  runner = await startJobRunner()
})
afterAll(() => runner.close())

/** Returns the end time of the last frame in a file, according to its packets. */
async function lastEnd(path: string): Promise<number> {
  const shown = ['-select_streams', 'v', '-show_entries', 'packet=pts_time,duration_time', '-of', 'csv=p=0']
  const { stdout } = await promisify(execFile)('ffprobe', ['-v', 'error', ...shown, path])
  const ends = stdout.split('\n').map((line) => line.split(',').map(Number))
  return Math.max(...ends.map(([start = 0, seconds = 0]) => start + seconds))
}

/** Encodes with B-frames and a keyframe every two seconds. */
const reordered = (name: string, ...options: string[]) =>
  makeClip(name, [
    ...['-f', 'lavfi', '-i', 'testsrc2=duration=10:size=128x96:rate=25', '-c:v', 'libx264'],
    ...['-bf', '3', '-g', '50', '-sc_threshold', '0', '-pix_fmt', 'yuv420p', ...options],
  ])

const truncated = async () => {
  const whole = await reordered('first.mp4', '-movflags', '+faststart')
  return whole.subarray(0, Math.ceil(whole.length / 2))
}

/** Makes a clip that starts like a recorded broadcast: the first keyframe comes after two seconds. */
const lateKeyframe = async () => {
  const whole = await reordered('late.ts')
  return whole.subarray(188 * Math.ceil(whole.length / 188 / 50))
}

/** Tolerance for a copied part: reference frames displayed after its end share the time of its last frame. */
const FRAME_SECONDS = 0.04

test.each([
  ['trim', { duration: 4 }, () => reordered('even.mp4'), FRAME_SECONDS],
  ['trim', { start: 3.3, duration: 4, precise: false }, () => reordered('even.mp4'), FRAME_SECONDS],
  ['faststart', {}, truncated, 0.01],
  ['mute', {}, lateKeyframe, 0.01],
])('%s %j reports the end of the last copied frame', async (operation_key, params, make, tolerance) => {
  const { outcome, path } = await runner.run({ operation_key, params }, { input: await make() })
  expect(outcome.body).toMatchObject({ encode_mode: 'remux', format: 'mp4' })
  expect(Math.abs(Number(outcome.body.duration_seconds) - (await lastEnd(path)))).toBeLessThan(tolerance)
})
