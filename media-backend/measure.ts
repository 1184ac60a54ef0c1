import { stat } from 'node:fs/promises'
import { extensionOf } from '../shared/operations/formats.ts'
import type { Plan } from '../shared/operations/operation.ts'
import { imageFacts } from './facts/image.ts'
import { readMedia } from './facts/probe.ts'
import { JobFailure } from './failure.ts'
import { fileIn } from './folder.ts'
import type { Run } from './job.ts'
import type { Measured } from './steps/index.ts'
import { openImage } from './steps/sharp.ts'

const IMAGES = new Set(['jpg', 'png', 'webp', 'avif', 'gif'])
const VIDEOS = new Set(['mp4', 'webm', 'mov', 'mkv'])
const SOUNDS = new Set(['mp3', 'aac', 'm4a', 'opus', 'ogg'])
/** Formats that a file's name says in short. */
const FORMATS: Partial<Record<string, string>> = { jpg: 'jpeg', tif: 'tiff' }

/** What `result.body` says of the first output: size, length and format, as the file itself shows them. */
export async function measureResult(
  plan: Plan,
  measured: Measured,
  run: Run,
): Promise<Record<string, unknown>> {
  const [{ file }] = plan.outputs
  const extension = extensionOf(file)
  const format = FORMATS[extension] ?? extension
  const encode_mode = plan.encode_mode === null ? {} : { encode_mode: plan.encode_mode }
  const shown = await measureFile(file, extension, measured, run)
  // Downloads have no mode: of a link's sound alone a WebM may be made.
  if (plan.encode_mode !== null && VIDEOS.has(extension) && shown.width === undefined) throw nothingLeft()
  return { ...plan.body, ...encode_mode, ...shown, format }
}

async function measureFile(
  file: string,
  extension: string,
  measured: Measured,
  run: Run,
): Promise<Record<string, unknown>> {
  const known = measured.get(file)
  if (known !== undefined) return known
  const path = fileIn(run.folder, file)
  await requireContent(path)
  if (IMAGES.has(extension)) {
    const { width, height } = await imageFacts(path, run.environment)
    return { width, height, ...(extension === 'gif' ? await measureLoop(path, run) : {}) }
  }
  if (!VIDEOS.has(extension) && !SOUNDS.has(extension)) return {}
  const { video, duration_seconds } = await readMedia(path, run)
  const size = video === null ? {} : { width: video.width, height: video.height }
  return { ...size, duration_seconds }
}

/** One round of an animated GIF; a still one has no length. */
async function measureLoop(path: string, { environment }: Run): Promise<{ duration_seconds?: number }> {
  const { delay = [] } = await openImage(path, environment).metadata()
  if (delay.length < 2) return {}
  return { duration_seconds: delay.reduce((sum, ms) => sum + ms, 0) / 1000 }
}

/** A seek behind the end of a clip makes ffmpeg write nothing, or sound alone, and call it a success. */
async function requireContent(path: string): Promise<void> {
  const written = await stat(path).catch(() => null)
  if (written === null || written.size === 0) throw nothingLeft()
}

function nothingLeft(): JobFailure {
  return new JobFailure('processing_failed', 'Nothing was left of the file with these parameters.')
}
