import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'

const run = promisify(execFile)

/** One folder for each run of the tests: a clip that several tests want is made once. */
const folder = join(tmpdir(), `fleet-clips-${process.ppid}`)

/** A clip that ffmpeg makes of these arguments, by its name. */
export async function makeClip(name: string, args: readonly string[]): Promise<Buffer> {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, name)
  if (!existsSync(path)) await run('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args, path])
  return readFile(path)
}

const picture = (seconds: number, size: string) => [
  ...['-f', 'lavfi', '-i', `testsrc2=duration=${seconds}:size=${size}:rate=25`],
]
const tone = (seconds: number) => ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]
const FAST = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

export function video(seconds: number, size = '320x180'): Promise<Buffer> {
  return makeClip(`video-${seconds}-${size}.mp4`, [...picture(seconds, size), ...tone(seconds), ...FAST])
}

export function soundOnly(): Promise<Buffer> {
  return makeClip('sound.m4a', [...tone(1), '-c:a', 'aac'])
}

/** A picture with enough detail that its quality matters; the same bytes every time. */
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
