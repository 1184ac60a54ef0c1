import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeClip, video } from '../testing/clips.ts'
import { LONE_ENVIRONMENT as environment } from '../testing/environment.ts'
import { readMovieTracks } from './movie-tracks.ts'

async function tracksOf(content: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'fleet-tracks-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'movie.mp4')
  await writeFile(path, content)
  return readMovieTracks(path, { folder, environment, signal: new AbortController().signal })
}

const still = (name: string, ...options: string[]) =>
  makeClip(name, [
    ...['-f', 'lavfi', '-i', 'color=red:size=64x48:rate=10:duration=1', '-c:v', 'libx264'],
    ...['-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...options],
  ])

test('reads the kind, the end and the frame size of each track', async () => {
  const [shown, heard, ...rest] = await tracksOf(await video(1))
  expect(shown).toEqual({
    kind: 'video',
    size: { width: 320, height: 180 },
    end_seconds: expect.closeTo(1, 1),
  })
  expect(heard).toEqual({ kind: 'audio', size: null, end_seconds: expect.closeTo(1, 1) })
  expect(rest).toEqual([])
})

/** Writes the matrix of a quarter turn into the header of the first track. */
async function turned(): Promise<Buffer> {
  const movie = Buffer.from(await still('plain.mp4'))
  const at = movie.indexOf('tkhd') + 'tkhd'.length + 40
  for (const [index, value] of [0, 0x10000, 0, -0x10000, 0].entries())
    movie.writeInt32BE(value, at + 4 * index)
  return movie
}

test.each([
  ['is turned', turned],
  ['has pixels that are not square', () => still('stretched.mp4', '-vf', 'setsar=2')],
])('leaves out the size of a video that %s', async (_name, make) => {
  expect(await tracksOf(await make())).toMatchObject([{ kind: 'video', size: null, end_seconds: 1 }])
})

test('reads no tracks from other files and from the beginning of a file', async () => {
  const movie = await still('plain.mp4')
  expect(await tracksOf(movie)).toMatchObject([{ size: { width: 64, height: 48 } }])
  expect(await tracksOf(movie.subarray(0, 100))).toEqual([])
  expect(await tracksOf(Buffer.from('not a movie'))).toEqual([])
})
