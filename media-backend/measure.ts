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
  const shown = await measureFile(plan, extension, measured, run)
  // Downloads have no mode: of a link's sound alone a WebM may be made.
  if (plan.encode_mode !== null && VIDEOS.has(extension) && shown.width === undefined) throw nothingLeft()
  return { ...plan.body, ...encode_mode, ...shown, format }
}

/** How far a result may stay behind its plan: times are counted in frames, and cuts begin at some of them. */
const SHORT_SECONDS = 1
const SHORT_SHARE = 0.02

/** What a file's header told of, and was not there: of a broken upload the part that came is worked on. */
function missingOf({ steps, outputs: [{ file }] }: Plan, seconds: number): { missing_seconds?: number } {
  const writing = steps.findLast((step) => step.kind === 'ffmpeg' && step.output.file === file)
  const planned_seconds = writing?.kind === 'ffmpeg' ? writing.output_duration_seconds : null
  if (planned_seconds === null) return {}
  const missing_seconds = planned_seconds - seconds
  const is_missing = missing_seconds > Math.max(SHORT_SECONDS, SHORT_SHARE * planned_seconds)
  return is_missing ? { missing_seconds: Number(missing_seconds.toFixed(3)) } : {}
}

async function measureFile(
  plan: Plan,
  extension: string,
  measured: Measured,
  run: Run,
): Promise<Record<string, unknown>> {
  const [{ file }] = plan.outputs
  const known = measured.get(file)
  if (known !== undefined) return known
  const path = fileIn(run.folder, file)
  await requireContent(path)
  if (IMAGES.has(extension)) {
    const { width, height } = await imageFacts(path, run.environment)
    return { width, height, ...(extension === 'gif' ? await measureLoop(path, run) : {}) }
  }
  if (!VIDEOS.has(extension) && !SOUNDS.has(extension)) return {}
  const { video, audio, duration_seconds } = await readMedia(path, run)
  if (video === null) return { duration_seconds }
  const { width, height } = video
  // Without its sound a picture may rightly be shorter than the file was.
  const missing = audio.length === 0 ? {} : missingOf(plan, duration_seconds)
  return { width, height, duration_seconds, ...missing }
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
