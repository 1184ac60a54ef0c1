/** @module-tag extended */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { MediaProbe } from '../../../shared/planning/facts.ts'
import { parseEnvironment } from '../../environment.ts'
import { makeClip } from '../../testing/clips.ts'
import { probeVideo } from '../probe.ts'

async function probeBytes(...parts: Buffer[]): Promise<MediaProbe> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-duration-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'clip')
  await writeFile(path, Buffer.concat(parts))
  const addresses = { EDGE_URL: 'http://127.0.0.1', FLEET_KEYS: 'YWFh', S3_ENDPOINT: 'http://127.0.0.1' }
  const environment = parseEnvironment({ ...addresses, S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' })
  return probeVideo(path, { folder, environment, signal: new AbortController().signal })
}

const STREAMS = {
  'clip.ts': ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac'],
  'clip.m2ts': ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'ac3'],
  'clip.mpg': ['-c:v', 'mpeg2video', '-c:a', 'mp2'],
  'old.mpg': ['-c:v', 'mpeg1video', '-c:a', 'mp2', '-f', 'mpeg'],
  'clip.vob': ['-c:v', 'mpeg2video', '-c:a', 'ac3'],
} as const

function stream(name: keyof typeof STREAMS, seconds: number, ...later: string[]): Promise<Buffer> {
  const noise = `testsrc2=s=160x120:r=25:d=${seconds},noise=alls=20:allf=t`
  const sources = ['-f', 'lavfi', '-i', noise, '-f', 'lavfi', '-i', `sine=d=${seconds}`]
  return makeClip(name, [...sources, ...STREAMS[name], ...later])
}

test.each(Object.keys(STREAMS) as (keyof typeof STREAMS)[])(
  'measures %s by its timestamps, and by its packets if the clock restarts',
  async (name) => {
    const clip = await stream(name, 20)
    const [once, twice] = [await probeBytes(clip), await probeBytes(clip, clip)]
    expect(Math.abs(once.duration_seconds - 20)).toBeLessThan(0.2)
    expect(once.clock_restarts).toBeUndefined()
    expect(Math.abs(twice.duration_seconds - 40)).toBeLessThan(0.4)
    expect(twice.clock_restarts).toBe(true)
  },
)

test.each([
  ['a short part before a long one', [2, 20], 22],
  ['a short part after a long one', [20, 2], 22],
] as const)('measures both parts: %s', async (_, [one, other], seconds) => {
  const probe = await probeBytes(await stream('clip.ts', one), await stream('clip.ts', other))
  expect(Math.abs(probe.duration_seconds - seconds)).toBeLessThan(0.4)
})

test('ignores a jump of the clock', async () => {
  const later = await stream('clip.ts', 20, '-output_ts_offset', '5000')
  const { duration_seconds } = await probeBytes(await stream('clip.ts', 20), later)
  expect(Math.abs(duration_seconds - 40)).toBeLessThan(0.4)
})

test('accepts a clock that wraps around, which happens once a day', async () => {
  const probe = await probeBytes(await stream('clip.ts', 20, '-output_ts_offset', '95434'))
  expect(Math.abs(probe.duration_seconds - 20)).toBeLessThan(0.2)
  expect(probe.clock_restarts).toBeUndefined()
})
