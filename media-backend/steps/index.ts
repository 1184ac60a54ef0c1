import type { FfmpegStep, Step } from '../../shared/planning/steps.ts'
import { runFfmpeg } from '../runtime/ffmpeg.ts'
import { fileIn } from '../runtime/folder.ts'
import { decodeHeic } from '../runtime/heic.ts'
import { holdRoom } from '../runtime/image-room.ts'
import type { Run } from '../runtime/run.ts'
import { traced } from '../runtime/trace.ts'
import { weighSteps } from '../runtime/weights.ts'
import { blankUserData } from '../strip/user-data.ts'
import { checkCut } from './cut/check-cut.ts'
import { joinParts } from './cut/join.ts'
import { replaceUnexpected } from './cut/replace-unexpected.ts'
import { drawEmoji } from './emoji/draw-emoji.ts'
import { attachProfile } from './image/attach-profile.ts'
import { makeColorProfile } from './image/color-profile.ts'
import { drawImage } from './image/draw-image.ts'
import { drawLayer } from './image/layer.ts'
import type { ImageMeasure } from './image/measure.ts'
import { decodeSequence } from './image/sequence.ts'
import { METADATA_BYTES, runMetadata } from './metadata.ts'
import { SEARCH_SHARE, searchRate } from './rate/search-rate.ts'
import { writeText } from './text.ts'

/** Measurements of a video: how many camera messages were overwritten in the encoded video. */
interface VideoMeasure {
  user_data_removed: number
}

/** Measurements that each step made of the file it wrote, keyed by file name. */
export type Measured = Map<string, ImageMeasure | VideoMeasure>

/** Runs the steps of a plan in order and reports their progress in percent. */
export async function runSteps(
  steps: readonly Step[],
  run: Run,
  reportPercent: (percent: number) => void,
): Promise<Measured> {
  const measured: Measured = new Map()
  const weights = weighSteps(steps)
  let done = 0
  for (const [index, step] of steps.entries()) {
    run.signal.throwIfAborted()
    const weight = weights[index] ?? 0
    const measure = await traced(`step ${step.kind}`, {}, () =>
      runStep(step, run, (fraction) => reportPercent((done + fraction * weight) * 100)),
    )
    if (measure !== null && 'output' in step) measured.set(step.output.file, measure)
    done = index === steps.length - 1 ? 1 : done + weight
    reportPercent(done * 100)
  }
  return measured
}

/** Runs one step. Returns its measurements of the file it wrote, or null if they are taken later or not at all. */
async function runStep(
  step: Step,
  run: Run,
  reportProgress: (fraction: number) => void,
): Promise<ImageMeasure | VideoMeasure | null> {
  switch (step.kind) {
    case 'image':
      return drawImage(step, run)
    case 'metadata':
      return holdRoom(METADATA_BYTES, run, () => runMetadata(step, run))
    case 'layer':
      await drawLayer(step, run)
      return null
    case 'emoji':
      await drawEmoji(step, run)
      return null
    case 'heic':
      await decodeHeic(step, step.color === undefined ? null : makeColorProfile(step.color), run)
      return null
    case 'sequence':
      await decodeSequence(step, run)
      return null
    case 'profile':
      await attachProfile(step, run)
      return null
    case 'user_data': {
      const user_data_removed = await blankUserData(
        fileIn(run.folder, step.output.file),
        step.codec,
        run.signal,
      )
      return user_data_removed === 0 ? null : { user_data_removed }
    }
    case 'text':
      await writeText(step, run)
      return null
    case 'join':
      await replaceUnexpected(() => joinParts(step, run), run)
      return null
    case 'check_cut':
      await replaceUnexpected(() => checkCut(step, run), run)
      return null
    case 'ffmpeg':
      await runEncode(step, run, reportProgress)
      return null
  }
}

/** Runs ffmpeg, after the search for a rate factor if the step has one. */
async function runEncode(
  step: FfmpegStep,
  run: Run,
  reportProgress: (fraction: number) => void,
): Promise<void> {
  const { rate_search } = step
  if (rate_search === undefined) return runFfmpeg(step, run, reportProgress)
  const chosen = await searchRate({ ...step, rate_search }, run, (fraction) =>
    reportProgress(fraction * SEARCH_SHARE),
  )
  await runFfmpeg(chosen, run, (fraction) => reportProgress(SEARCH_SHARE + fraction * (1 - SEARCH_SHARE)))
}
