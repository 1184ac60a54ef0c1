import type { Step } from '../../shared/operations/steps.ts'
import type { Run } from '../job.ts'
import { runFfmpeg } from './ffmpeg.ts'
import { decodeHeic } from './heic.ts'
import { type ImageMeasure, runImage } from './image.ts'
import { holdRoom } from './image-room.ts'
import { METADATA_BYTES, runMetadata } from './metadata.ts'
import { attachProfile } from './profile.ts'
import { writeText } from './text.ts'
import { weighSteps } from './weights.ts'

/** What a step knows of the file it wrote, by the file's name. */
export type Measured = Map<string, ImageMeasure>

/** Carries out a plan's steps in their order; progress is told in percent over all of them. */
export async function runSteps(
  steps: readonly Step[],
  run: Run,
  tellProgress: (percent: number) => void,
): Promise<Measured> {
  const measured: Measured = new Map()
  const weights = weighSteps(steps)
  let done = 0
  for (const [index, step] of steps.entries()) {
    run.signal.throwIfAborted()
    const weight = weights[index] ?? 0
    if (step.kind === 'image') measured.set(step.output.file, await runImage(step, run))
    else if (step.kind === 'metadata')
      measured.set(step.output.file, await holdRoom(METADATA_BYTES, run, () => runMetadata(step, run)))
    else if (step.kind === 'heic') await decodeHeic(step, run)
    else if (step.kind === 'profile') await attachProfile(step, run)
    else if (step.kind === 'text') await writeText(step, run)
    else await runFfmpeg(step, run, (share) => tellProgress((done + share * weight) * 100))
    done = index === steps.length - 1 ? 1 : done + weight
    tellProgress(done * 100)
  }
  return measured
}
