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
  /** Nothing shows through the input. */
  is_opaque: boolean
}

/** Runs all pipelines but the last; what is returned begins that one as often as one likes. */
export async function drawStages(
  open: () => Sharp,
  stages: readonly ImageAction[][],
  layers: ReadonlyMap<ImageAction, Layer>,
  { format, space, passage, is_opaque }: Manner,
  run: Run,
): Promise<() => Sharp> {
  const flattened = format === 'jpeg'
  const stays_opaque = is_opaque && !stages.some((stage) => opensTransparency([stage]))
  // sharp fills what shows through first of all; what the last stage opens needs one of its own.
  const all = flattened && opensTransparency(stages) ? [...stages, []] : stages
  let next = open
  for (const [index, stage] of all.entries()) {
    run.signal.throwIfAborted()
    const from = next
    const is_last = index === all.length - 1
    // An action with a background of its own has its way.
    const start = () => (flattened && is_last ? from().flatten({ background: '#ffffff' }) : from())
    // What is laid over a picture leaves it an alpha that it didn't have.
    const apply = () => {
      const applied = applyStage(start(), stage, layers)
      return stays_opaque ? applied.removeAlpha() : applied
    }
    if (is_last) return apply
    next = await passOn(apply(), { passage, space, file: stageFile(index) }, run)
    // Of a large picture a stage takes gigabytes, and has been read.
    if (passage === 'file' && index > 0) await rm(fileIn(run.folder, stageFile(index - 1)))
  }
  return next
}

function stageFile(index: number): string {
  return `stage-${index}.tif`
}
