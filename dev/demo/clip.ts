import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Creates a 10-second clip with moving colors and a tone, unless it already exists.
 * @returns its path
 */
export async function makeClip(folder: string): Promise<string> {
  const file = join(folder, 'clip.mp4')
  if (existsSync(file)) return file
  mkdirSync(folder, { recursive: true })
  const part = join(folder, 'unfinished.mp4')
  const video = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=30:duration=10']
  const audio = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=10']
  const encode = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-crf',
    '18',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
  ]
  await promisify(execFile)('ffmpeg', ['-y', '-v', 'error', ...video, ...audio, ...encode, '-shortest', part])
  await rename(part, file)
  return file
}
