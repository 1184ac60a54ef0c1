import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import {
  type ComparedVideo,
  type Comparison,
  changeOfLevel,
  compareVideo,
  type Level,
} from './compare-video.ts'

/** Begin of the names of videos in which somebody talks. */
const SPEECH = 'speech'

/** Compares `compress` with a fixed rate factor on the videos of a folder, or on every second one. */
export async function measureVideos(folder: string, level: Level, step: 1 | 2): Promise<ComparedVideo[]> {
  return compareAll(folder, { operation: ['compress', { level }], encoder: changeOfLevel(level) }, step)
}

/** Compares an operation with the same one and its former encoder, on the videos of a folder. */
export async function compareAll(folder: string, comparison: Comparison, step = 1): Promise<ComparedVideo[]> {
  const compared: ComparedVideo[] = []
  const files = (await listVideos(folder))
    .filter((name) => name.startsWith(SPEECH) === (comparison.needs_speech ?? false))
    .filter((_, index) => index % step === 0)
  for (const file of files) {
    const video = await compareVideo(join(folder, file), comparison)
    if (video === null) continue
    compared.push({ name: parse(file).name, ...video })
    console.log(JSON.stringify(compared.at(-1)))
  }
  return compared
}

/** Returns the names of the videos in a folder. */
export async function listVideos(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /\.(mp4|mkv|mov|webm|avi)$/i.test(name)).sort()
}
