import type { ImageEdit } from '../edit.ts'
import type { ImageFacts } from '../facts.ts'
import type { Plan, PlanRefusal } from '../operation.ts'
import { SOURCE } from '../steps.ts'
import { imageFile, keptFormat, refuseSize } from './formats.ts'

/** Carries a row of edits out as one sharp pipeline; without a format that is asked for, the input's stays. */
export function planImageEdits(
  edits: readonly ImageEdit[],
  image: ImageFacts,
  { stem, source = SOURCE }: { stem: string; source?: string },
): Plan | PlanRefusal {
  const asked = Object.assign({}, ...edits.map((edit) => edit.output)) as ImageEdit['output']
  const after = edits.at(-1)?.after ?? image
  const format = asked.format ?? keptFormat(stem, { format: image.format, has_alpha: after.has_alpha }).format
  const file = imageFile(stem, format)
  const refusal = refuseSize(null, format, after)
  if (refusal !== null) return refusal
  return {
    encode_mode: null,
    steps: [
      {
        kind: 'image',
        input: source,
        actions: edits.flatMap((edit) => [...edit.actions]),
        output: { file, format, quality: asked.quality ?? null, max_bytes: asked.max_bytes ?? null },
      },
    ],
    outputs: [{ file }],
  }
}
