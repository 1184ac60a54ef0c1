import { rm } from 'node:fs/promises'
import type { Sharp } from 'sharp'
import type { ImageAction, ImageFormat } from '../../../shared/planning/steps.ts'
import { fileIn } from '../../runtime/folder.ts'
import type { Run } from '../../runtime/run.ts'
import type { Space } from '../../runtime/sharp.ts'
import { applyStage } from './actions.ts'
import type { Layer } from './layer-bitmap.ts'
import { type Passage, passOn } from './passes.ts'
import { opensTransparency } from './stages.ts'

export interface Manner {
  format: ImageFormat
  space: Space
  passage: Passage
  /** True if the input has no transparency. */
  is_opaque: boolean
}

/** Runs all pipelines except the last. The returned function starts the last one as often as needed. */
export async function drawStages(
  open: () => Sharp,
  stages: readonly ImageAction[][],
  layers: ReadonlyMap<ImageAction, Layer>,
  { format, space, passage, is_opaque }: Manner,
  run: Run,
): Promise<() => Sharp> {
  const flattened = format === 'jpeg'
  const stays_opaque = is_opaque && !stages.some((stage) => opensTransparency([stage]))
  // sharp fills transparency before anything else, so an extra stage is needed to fill transparency that the last
  // stage creates.
  const all = flattened && opensTransparency(stages) ? [...stages, []] : stages
  let next = open
  for (const [index, stage] of all.entries()) {
    run.signal.throwIfAborted()
    const from = next
    const is_last = index === all.length - 1
    // Actions that have a background override this fill.
    const start = () => (flattened && is_last ? from().flatten({ background: '#ffffff' }) : from())
    // An overlay adds an alpha channel to an opaque image.
    const apply = () => {
      const applied = applyStage(start(), stage, layers)
      return stays_opaque ? applied.removeAlpha() : applied
    }
    if (is_last) return apply
    next = await passOn(apply(), { passage, space, file: stageFile(index) }, run)
    // The file of a large stage takes up gigabytes and is no longer needed.
    if (passage === 'file' && index > 0) await rm(fileIn(run.folder, stageFile(index - 1)))
  }
  return next
}

function stageFile(index: number): string {
  return `stage-${index}.tif`
}
