import { basename } from 'node:path'
import { z } from 'zod'
import type { ImageFacts, ImageSequence } from '../../../shared/planning/facts.ts'
import { decode } from '../../runtime/decoder/decode.ts'
import { failWith, type JobFailure } from '../../runtime/failure.ts'
import { processLimits } from '../../runtime/ffmpeg.ts'
import { readBox, readHead } from '../../runtime/image-head.ts'
import { checkFrames } from '../../runtime/limits.ts'
import { runProcess } from '../../runtime/process.ts'
import type { Run } from '../../runtime/run.ts'
import { tooManyPixels } from '../../runtime/sharp.ts'
import { readAvifLoop } from './avif-loop.ts'
import { readForeign } from './foreign/read-foreign.ts'
import { readBrands } from './heif-brands.ts'
import { readPngFrames } from './png-frames.ts'

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** Marks an image or track as the alpha channel of another. */
const ALPHA = 'urn:mpeg:mpegB:cicp:systems:auxiliary:alpha'
const BOX_HEAD_BYTES = 8
const CPU_SECONDS_MAX = 10

/**
 * Reads the header of an image. Uses ffprobe for AVIF animations, which sharp does not read.
 * @throws JobFailure if the file is not a supported image, or has too many frames.
 */
export async function readImageFacts(path: string, run: Run): Promise<ImageFacts> {
  const [brand] = await readBrands(path)
  if (brand === 'avis') return readAvifSequence(path, run)
  const foreign = await readForeign(path, run)
  if (foreign !== null) return foreign
  const facts: ImageFacts = await decode('facts', { file: basename(path) }, run)
  const animation = facts.format === 'png' ? await readAnimatedPng(path) : null
  if (animation === null) return facts
  const found = await readPngFrames(path)
  if (found?.frames !== animation.frames) throw truncatedPng()
  const { frames: pages, loop } = animation
  const sequence: ImageSequence = {
    container: 'png',
    color_stream: 0,
    alpha_stream: null,
    loop,
    duration_ms: found.duration_ms,
  }
  return checkSequence({ ...facts, pages, sequence }, run)
}

function truncatedPng(): JobFailure {
  return failWith('animated_png_truncated')
}

/** Reads the acTL chunk, which precedes the pixels of an animated PNG. */
async function readAnimatedPng(path: string): Promise<{ frames: number; loop: number } | null> {
  const head = await readHead(path)
  if (!head.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return null
  for (let at = PNG_SIGNATURE.length; at + 16 <= head.length; at += 12 + head.readUInt32BE(at)) {
    const type = head.toString('latin1', at + 4, at + 8)
    if (type === 'IDAT') return null
    if (type !== 'acTL') continue
    const [frames, loop] = [head.readUInt32BE(at + 8), head.readUInt32BE(at + 12)]
    return frames > 1 ? { frames, loop: Math.min(loop, 0xffff) } : null
  }
  return null
}

const Track = z.object({
  index: z.int(),
  width: z.int().positive(),
  height: z.int().positive(),
  pix_fmt: z.string(),
  color_space: z.string().optional(),
  color_transfer: z.string().optional(),
  color_primaries: z.string().optional(),
  nb_frames: z.coerce.number().int().positive(),
  // Newer versions of ffprobe also list the file's items, which have no duration.
  duration: z.coerce.number().positive(),
})

/**
 * Reads an animated AVIF. The first track is displayed. A gray second track is its alpha channel if the file marks
 * it as such.
 */
async function readAvifSequence(path: string, run: Run): Promise<ImageFacts> {
  const tracks = await listTracks(path, run)
  const [color, second] = tracks
  if (color === undefined) throw failWith('image_unreadable')
  const is_alpha =
    second?.pix_fmt.startsWith('gray') === true &&
    second.width === color.width &&
    second.height === color.height &&
    (await namesAlpha(path))
  const { index: color_stream, width, height, nb_frames: pages } = color
  const alpha_stream = is_alpha ? second.index : null
  const duration_ms = color.duration * 1000
  const loop = readAvifLoop((await readBox(path, 'moov')).subarray(BOX_HEAD_BYTES))
  const colors = {
    pixel_format: color.pix_fmt,
    color_space: color.color_space ?? null,
    color_transfer: color.color_transfer ?? null,
    color_primaries: color.color_primaries ?? null,
  }
  const sequence: ImageSequence = {
    ...{ container: 'avif', color_stream, alpha_stream, colors },
    ...{ loop, duration_ms },
  }
  return checkSequence({ format: 'avif', width, height, pages, has_alpha: is_alpha, sequence }, run)
}

/** Checks whether the file marks an alpha channel. Some writers mark the still image, others the track. */
async function namesAlpha(path: string): Promise<boolean> {
  const boxes = await Promise.all([readBox(path, 'moov'), readBox(path, 'meta')])
  return boxes.some((box) => box.includes(ALPHA))
}

async function listTracks(path: string, run: Run): Promise<z.infer<typeof Track>[]> {
  const entries = `stream=${Object.keys(Track.shape).join(',')}`
  const guard = ['-protocol_whitelist', 'file', '-format_whitelist', 'mov']
  const args = ['-v', 'error', ...guard, '-select_streams', 'v', '-show_entries', entries, '-of', 'json']
  const { stdout } = await runProcess('ffprobe', [...args, `file:${path}`], {
    limits: { ...processLimits(run.environment), cpu_seconds_max: CPU_SECONDS_MAX },
    folder: run.folder,
    signal: run.signal,
  })
  const probe = z.object({ streams: z.array(z.unknown()) }).safeParse(parseJson(stdout))
  if (!probe.success) throw failWith('image_unreadable')
  return probe.data.streams.flatMap((stream) => Track.safeParse(stream).data ?? [])
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/**
 * Limits the number of frames and the size of one frame. The plan limits the total pixels of all frames, because a
 * still image needs only the first frame.
 */
function checkSequence(facts: ImageFacts, { environment }: Run): ImageFacts {
  checkFrames(facts)
  if (facts.width * facts.height > environment.IMAGE_PIXELS_MAX) throw tooManyPixels(environment)
  return facts
}
