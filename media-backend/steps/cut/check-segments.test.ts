import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FAST, makeClip, videoInput } from '../../testing/clips.ts'
import { checkSegments } from './check-segments.ts'
import { type MovieTrack, readMovieTrack } from './movie-samples.ts'

const SPREAD = { frames_per_second: 25, late_frames: 0 }
const RANGES = [
  { first: 0, end: 25 },
  { first: 25, end: null },
]

async function readTrack(name: string, ...options: string[]): Promise<MovieTrack> {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-tracks-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  await writeFile(path, await makeClip(name, [...videoInput(1), ...FAST, ...options]))
  return readMovieTrack(path)
}

/** Two segments of a second each, as two workers write them. */
async function readSegments(): Promise<[MovieTrack, MovieTrack]> {
  return [
    await readTrack('first-second.mp4', '-bf', '2'),
    await readTrack('next-second.mp4', '-bf', '2', '-output_ts_offset', '1'),
  ]
}

test('accepts segments that follow each other', async () => {
  const { timescale, starts } = checkSegments(await readSegments(), RANGES, SPREAD)
  expect(starts.map((start) => start / timescale)).toEqual([0, 1])
})

test('refuses a segment in which a frame is missing, irregular or elsewhere', async () => {
  const [first, next] = await readSegments()
  const check = (...tracks: MovieTrack[]) => checkSegments(tracks, RANGES, SPREAD)
  const { samples } = first
  const late = samples.map((sample, at) => (at === 7 ? { ...sample, pts: sample.pts + 1 } : sample))
  expect(() => check({ ...first, samples: samples.slice(0, -1) }, next)).toThrow('irregular')
  expect(() => check({ ...first, samples: late }, next)).toThrow('irregular')
  expect(() => check(next, next)).toThrow('starts with frame 25 instead of 0')
  expect(() => check(first, first)).toThrow('starts with frame 0 instead of 25')
  const short = [{ first: 0, end: 24 }, ...RANGES.slice(1)]
  expect(() => checkSegments([first, next], short, SPREAD)).toThrow('ends before frame 25 instead of 24')
})

test('refuses segments of another rate or with another decoder configuration', async () => {
  const [first, next] = await readSegments()
  expect(() => checkSegments([first, next], RANGES, { ...SPREAD, frames_per_second: 24 })).toThrow(
    '25 frames',
  )
  const other = await readTrack('other-profile.mp4', '-bf', '0', '-profile:v', 'baseline')
  expect(() => checkSegments([first, other], RANGES, SPREAD)).toThrow('different decoder configurations')
  expect(() => checkSegments([first, { ...next, timescale: 600 }], RANGES, SPREAD)).toThrow('different units')
})
