import { readdir } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { type ComparedVideo, compareVideo, type Level } from './compare-video.ts'

/** Compares `compress` with a fixed rate factor on the videos of a folder. */
export async function measureVideos(folder: string, level: Level): Promise<ComparedVideo[]> {
  const compared: ComparedVideo[] = []
  for (const file of await listVideos(folder)) {
    const video = { name: parse(file).name, ...(await compareVideo(join(folder, file), level)) }
    console.log(JSON.stringify(video))
    compared.push(video)
  }
  return compared
}

/** Returns the names of the videos in a folder. */
export async function listVideos(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /\.(mp4|mkv|mov|webm|avi)$/i.test(name)).sort()
}
