import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { makePhoto } from '../../bench/inputs.ts'
import type { Client, Submission } from '../client.ts'

/** A kind of job whose costs are measured. */
export interface MeasuredJob {
  name: string
  submission: Submission
  input_bytes: number
  /** How many of them run at a time. */
  concurrency: number
}

export const CLIP_SECONDS = 30
export const CLIP = { width: 1920, height: 1080, rate: 30 } as const

/** Uploads the inputs: a photo of 12 megapixels, and 30 seconds of 1080p video with grain. */
export async function makeMeasuredJobs(client: Client, folder: string): Promise<MeasuredJob[]> {
  const photo = await makePhoto(folder)
  const clip = await makeClip(folder)
  const image_url = await client.upload(photo, 'image/jpeg')
  const clip_url = await client.upload(clip, 'video/mp4')
  const [image_bytes, clip_bytes] = await Promise.all(
    [photo, clip].map(async (file) => (await stat(file)).size),
  )
  const image = (operation_key: string, params: object) => ({
    name: `image/${operation_key}`,
    submission: { service_slug: 'image', operation_key, params: { file_url: image_url, ...params } },
    input_bytes: image_bytes ?? 0,
    concurrency: 4,
  })
  const video = (operation_key: string, concurrency: number, params: object) => ({
    name: `video/${operation_key}`,
    submission: { service_slug: 'video', operation_key, params: { file_url: clip_url, ...params } },
    input_bytes: clip_bytes ?? 0,
    concurrency,
  })
  return [
    image('resize', { width: 1280 }),
    video('thumbnail', 2, { at: 10 }),
    video('mute', 2, {}),
    video('compress', 1, {}),
  ]
}

async function makeClip(folder: string): Promise<string> {
  const file = join(folder, 'clip.mp4')
  const { width, height, rate } = CLIP
  const source = `testsrc2=size=${width}x${height}:rate=${rate}:duration=${CLIP_SECONDS},noise=alls=12:allf=t:all_seed=1`
  const inputs = [
    '-f',
    'lavfi',
    '-i',
    source,
    '-f',
    'lavfi',
    '-i',
    `sine=frequency=440:duration=${CLIP_SECONDS}`,
  ]
  const coding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-b:v', '8M', '-g', '60', '-pix_fmt', 'yuv420p']
  await promisify(execFile)('ffmpeg', ['-y', '-v', 'error', ...inputs, ...coding, '-c:a', 'aac', file])
  return file
}
