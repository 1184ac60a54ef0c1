import type { ImageStep } from '../../../shared/planning/steps.ts'
import { decode } from '../../runtime/decoder/decode.ts'
import { holdRoom } from '../../runtime/image-room.ts'
import type { Run } from '../../runtime/run.ts'
import type { ImageMeasure } from './measure.ts'
import { estimateBytes } from './memory.ts'

/**
 * Draws an image in a process of the sandbox. Native sharp calls cannot be interrupted, but a process can, so work
 * ends at once when the job is canceled or out of time.
 * @throws JobFailure like runImage, or if the image crashes the process.
 */
export async function drawImage(step: ImageStep, run: Run): Promise<ImageMeasure> {
  const header = await decode('header', { file: step.input }, run)
  return holdRoom(estimateBytes(step, header), run, () => decode('draw', step, run))
}
