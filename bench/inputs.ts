import { execFile } from 'node:child_process'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import sharp from 'sharp'

const run = promisify(execFile)

/** Parameters of the resize that both sides perform. It scales a photo down for a web page. */
export const RESIZE_PARAMS = { width: 1280 } as const
export const PHOTO = { width: 4000, height: 3000 } as const

/** Audio frames of 1024 samples and groups of pictures fit into a segment, so copies of it continue without a gap. */
const HOUR_SEGMENT_SECONDS = 32
const HOUR_GROUP_FRAMES = 120
const HOUR_RATE = ['-b:v', '4M', '-maxrate', '4M', '-bufsize', '4M']

const PHONE_RATE = ['-b:v', '8M', '-maxrate', '8M', '-bufsize', '8M', '-g', '30']

/** How the hour of video is coded. The names follow the measures that use it. */
export type HourCoding = 'closed' | 'open' | 'hevc'

const HOUR_CODINGS: Record<HourCoding, readonly string[]> = {
  closed: ['-preset', 'veryfast', '-g', String(HOUR_GROUP_FRAMES), '-bf', '2'],
  open: ['-preset', 'veryfast', '-g', String(HOUR_GROUP_FRAMES), '-bf', '2', '-x264-params', 'open-gop=1'],
  hevc: [
    ...['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1', '-x265-params'],
    `log-level=error:keyint=${HOUR_GROUP_FRAMES}:min-keyint=${HOUR_GROUP_FRAMES}:bframes=2:open-gop=1`,
  ],
}

/** Makes a clip with moving shapes, light grain and a tone. It is neither trivial nor impossible to compress. */
export async function makeBenchClip(folder: string, seconds: number): Promise<string> {
  return makeClip(join(folder, 'clip.mp4'), seconds, ['-crf', '20'])
}

/** Makes the same clip with 8 Mbit/s, like a phone video, and one keyframe per second. */
export async function makePhoneClip(folder: string, seconds: number): Promise<string> {
  return makeClip(join(folder, 'phone.mp4'), seconds, PHONE_RATE)
}

/** Loops a short phone video until it has at least `size_bytes`. */
export async function makeLargeClip(folder: string, size_bytes: number): Promise<string> {
  const segment = await makePhoneClip(folder, 6)
  const file = join(folder, 'large.mp4')
  const repeats = Math.ceil(size_bytes / (await stat(segment)).size)
  const loop = ['-stream_loop', String(repeats - 1), '-i', segment]
  await run('ffmpeg', ['-y', '-v', 'error', ...loop, '-c', 'copy', file])
  return file
}

/**
 * Loops a clip to an hour of video at 4 Mbit/s with B-frames and a keyframe every four seconds. Video and audio are
 * looped separately, so the end of one does not delay the other.
 */
export async function makeHour(folder: string, coding: HourCoding): Promise<string> {
  const segment = await makeClip(join(folder, 'segment.mp4'), HOUR_SEGMENT_SECONDS, [
    ...HOUR_CODINGS[coding],
    ...HOUR_RATE,
  ])
  const file = join(folder, 'hour.mp4')
  const loop = ['-stream_loop', String(Math.ceil(3600 / HOUR_SEGMENT_SECONDS) - 1)]
  const video = [...loop, '-i', await copyTrack(segment, 'v')]
  const audio = [...loop, '-i', await copyTrack(segment, 'a')]
  await run('ffmpeg', [
    '-y',
    '-v',
    'error',
    ...video,
    ...audio,
    '-map',
    '0:v',
    '-map',
    '1:a',
    '-c',
    'copy',
    file,
  ])
  return file
}

async function copyTrack(file: string, track: 'v' | 'a'): Promise<string> {
  const copy = `${file}.${track}.mp4`
  await run('ffmpeg', ['-y', '-v', 'error', '-i', file, '-map', `0:${track}`, '-c', 'copy', copy])
  return copy
}

async function makeClip(file: string, seconds: number, rate: readonly string[]): Promise<string> {
  const videoSource = `testsrc2=size=1280x720:rate=30:duration=${seconds},noise=alls=12:allf=t:all_seed=1`
  const audioSource = `sine=frequency=440:sample_rate=48000:duration=${seconds}`
  const inputs = ['-f', 'lavfi', '-i', videoSource, '-f', 'lavfi', '-i', audioSource]
  const videoCodec = ['-c:v', 'libx264', '-preset', 'ultrafast', ...rate, '-pix_fmt', 'yuv420p']
  await run('ffmpeg', ['-y', '-v', 'error', ...inputs, ...videoCodec, '-c:a', 'aac', '-shortest', file])
  return file
}

/** Makes a 12-megapixel photo with camera-like noise. */
export async function makePhoto(folder: string): Promise<string> {
  const file = join(folder, 'photo.jpg')
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const photo = sharp({ create: { ...PHOTO, channels: 3, background: '#808080', noise } })
  await writeFile(file, await photo.blur(1.2).jpeg({ quality: 90 }).toBuffer())
  return file
}
