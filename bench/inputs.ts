import { execFile } from 'node:child_process'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'

const run = promisify(execFile)

/** What one image job does, on both sides: a photograph made small enough for a page. */
export const IMAGE_WORK = { width: 1280 } as const
export const PHOTO = { width: 4000, height: 3000 } as const

/** A clip with moving shapes, a little grain and a tone: neither trivial nor hopeless to compress. */
export async function makeBenchClip(folder: string, seconds: number): Promise<string> {
  return makeClip(join(folder, 'clip.mp4'), seconds, ['-crf', '20'])
}

/** A clip of at least so many bytes at the rate of a phone, with a keyframe a second: itself again and again. */
export async function makeLargeClip(folder: string, bytes: number): Promise<string> {
  const rate = ['-b:v', '8M', '-maxrate', '8M', '-bufsize', '8M', '-g', '30']
  const once = await makeClip(join(folder, 'once.mp4'), 6, rate)
  const file = join(folder, 'large.mp4')
  const times = Math.ceil(bytes / (await stat(once)).size)
  const again = ['-stream_loop', String(times - 1), '-i', once]
  await run('ffmpeg', ['-y', '-v', 'error', ...again, '-c', 'copy', file])
  return file
}

async function makeClip(file: string, seconds: number, rate: readonly string[]): Promise<string> {
  const picture = `testsrc2=size=1280x720:rate=30:duration=${seconds},noise=alls=12:allf=t:all_seed=1`
  const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', ...rate, '-pix_fmt', 'yuv420p']
  await run('ffmpeg', ['-y', '-v', 'error', ...inputs, ...video, '-c:a', 'aac', '-shortest', file])
  return file
}

/** A photograph of 12 megapixels, with grain as a camera leaves it. */
export async function makePhoto(folder: string): Promise<string> {
  const file = join(folder, 'photo.jpg')
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const photo = sharp({ create: { ...PHOTO, channels: 3, background: '#808080', noise } })
  await writeFile(file, await photo.blur(1.2).jpeg({ quality: 90 }).toBuffer())
  return file
}
