import type { LayerStep } from '../../../shared/planning/steps.ts'
import { decode } from '../../runtime/decoder/decode.ts'
import { fileIn } from '../../runtime/folder.ts'
import { holdRoom } from '../../runtime/image-room.ts'
import type { Run } from '../../runtime/run.ts'
import { fromRaw, limitsOf } from '../../runtime/sharp.ts'
import { applyStage } from './actions.ts'
import { makeLayers } from './layers.ts'
import { PIXEL_BYTES } from './memory.ts'

/**
 * Draws an overlay on a transparent canvas.
 * @throws JobFailure if the text has no visible glyphs or time runs out.
 */
export async function drawLayer(step: LayerStep, run: Run): Promise<void> {
  const { width, height } = step.overlay.canvas
  await holdRoom(width * height * PIXEL_BYTES, run, () => decode('layer', step, run))
}

/** Does the work of drawLayer in the process that decodes. */
export async function paintLayer({ overlay, output }: LayerStep, run: Run): Promise<void> {
  const { width, height } = overlay.canvas
  const layers = await makeLayers([overlay], run)
  const data = Buffer.alloc(width * height * 4)
  const canvas = fromRaw({ data, width, height, channels: 4, page_height: null }, limitsOf(run))
  const drawn = applyStage(canvas, [overlay], layers).png({ compressionLevel: 1 })
  await drawn.toFile(fileIn(run.folder, output.file))
}
