import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync } from 'node:fs'
import { readFile, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { withFile } from './describe-image.ts'

const run = promisify(execFile)

/** A separate folder for each test run, so a clip that several tests need is made only once. */
const folder = join(tmpdir(), `fleet-clips-${process.ppid}`)

/**
 * Makes a clip with the given ffmpeg arguments. The extension of the name selects the container. Test files can run
 * in parallel: different clips may share a name, and no test reads an incomplete file.
 */
export async function makeClip(name: string, args: readonly string[]): Promise<Buffer> {
  return readFile(await makeClipFile(name, args))
}

/** Wraps a function so it runs only once and all callers share its result. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

async function makeClipFile(name: string, args: readonly string[]): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const content = createHash('sha256').update(args.join('\0')).digest('hex').slice(0, 16)
  const path = join(folder, `${content}-${name}`)
  if (!existsSync(path)) {
    const unfinished = join(folder, `${randomUUID()}-${name}`)
    await run('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args, unfinished])
    await rename(unfinished, path)
  }
  return path
}

/**
 * Rotates a clip as phones do: metadata requests a quarter turn of the stored frames. Uses exiftool, because the
 * ffmpeg option differs between versions.
 */
export function turnClip(clip: Buffer): Promise<Buffer> {
  return withFile(clip, async (path) => {
    await run('exiftool', ['-q', '-overwrite_original', '-Rotation=270', path])
    return readFile(path)
  })
}

/** ffmpeg input options for a moving test pattern. */
export const videoInput = (seconds = 1, size = '160x90') => [
  ...['-f', 'lavfi', '-i', `testsrc2=duration=${seconds}:size=${size}:rate=25`],
]
/** ffmpeg input options for a tone. */
export const tone = (seconds = 1) => ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]
/** Options for a fast H.264 encode that all players support. */
export const FAST = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

export function video(seconds: number, size = '320x180', ...options: string[]): Promise<Buffer> {
  const clip = [...videoInput(seconds, size), ...tone(seconds), ...FAST, ...options]
  return makeClip(`video-${seconds}-${size}.mp4`, clip)
}

/** Makes one minute of video, about 43 MB, with a keyframe every two seconds. Repeats six seconds of noise. */
export async function largeVideo(container: 'mp4' | 'mkv' | 'ts' = 'mp4'): Promise<Buffer> {
  const grain = 'testsrc2=duration=6:size=640x360:rate=25,noise=alls=40:allf=t:all_seed=1'
  const rate = ['-g', '50', '-b:v', '5400k', '-maxrate', '5400k', '-bufsize', '5400k']
  const once = await makeClipFile('noise-6.mp4', ['-f', 'lavfi', '-i', grain, ...tone(6), ...FAST, ...rate])
  const again = ['-stream_loop', '9', '-i', once, '-c', 'copy']
  return makeClip(`noise-60.${container}`, again)
}

/** Makes one minute of HD video that takes longer to encode than any test waits. Repeats a single second. */
export async function slowVideo(): Promise<Buffer> {
  const hd = [...videoInput(1, '1280x720'), ...tone(1), ...FAST]
  const second = await makeClipFile('second-1280x720.mp4', hd)
  return makeClip('slow.mp4', ['-stream_loop', '59', '-i', second, '-c', 'copy'])
}

/** Makes twenty minutes of video, about 45 MB, with a keyframe every two seconds. */
export async function longVideo(): Promise<Buffer> {
  const grain = 'testsrc2=duration=6:size=640x360:rate=25,noise=alls=10:allf=t:all_seed=1'
  const rate = ['-g', '50', '-b:v', '200k', '-maxrate', '220k', '-bufsize', '200k']
  const once = await makeClipFile('film-6.mp4', ['-f', 'lavfi', '-i', grain, ...tone(6), ...FAST, ...rate])
  return makeClip('film-1200.mp4', ['-stream_loop', '199', '-i', once, '-c', 'copy'])
}

export function audioOnly(): Promise<Buffer> {
  return makeClip('audio.m4a', [...tone(1), '-c:a', 'aac'])
}

/** Makes an image with enough detail for the quality setting to matter. Its bytes are always the same. */
export async function photo(width = 800, height = 600): Promise<Buffer> {
  const pixels = Buffer.alloc(width * height * 3)
  for (let index = 0, state = 12345; index < pixels.length; index += 1) {
    state = (state * 1103515245 + 12345) & 0x7fffffff
    pixels[index] = (((index / 3) % width) / width) * 200 + (state >> 16) / 655
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer()
}
