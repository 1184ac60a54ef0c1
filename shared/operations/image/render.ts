import type { ImageEdit } from '../edit.ts'
import type { ImageFacts } from '../facts.ts'
import type { Output, Plan, PlanRefusal } from '../operation.ts'
import { type HeicStep, type ImageStep, type MetadataStep, SOURCE, type Step } from '../steps.ts'
import { editableFile, imageFile, keptFormat, refuseSize } from './formats.ts'
import { collectMetadata, type MetadataChange } from './metadata.ts'

const HEIC_DECODED = 'decoded.png'
/** What a device's tags add to a file, generously. */
const TAGS_BYTES = 4096

interface Naming {
  stem: string
  source?: string
}

/**
 * Carries a row of edits out as one sharp pipeline; without a format that is asked for, the input's stays.
 * A picture that is written anew has no metadata but what the edits ask for; one whose metadata alone
 * changes is not written anew.
 */
export function planImageEdits(
  edits: readonly ImageEdit[],
  image: ImageFacts,
  { stem, source = SOURCE }: Naming,
): Plan | PlanRefusal {
  const change = collectMetadata(edits)
  const kept = editableFile(stem, image.format)
  if (edits.every(leavesPixels) && change !== null && kept !== null)
    return planOf([metadataStep(change, source, null, kept)])

  const asked = Object.assign({}, ...edits.map((edit) => edit.output)) as ImageEdit['output']
  const after = edits.at(-1)?.after ?? image
  const { has_alpha } = after
  const format = asked.format ?? keptFormat(stem, { format: image.format, has_alpha }).format
  const refusal = refuseSize(null, format, after)
  if (refusal !== null) return refusal

  const isTagged = change !== null && (change.strip !== 'all' || Object.keys(change.tags).length > 0)
  const picture: ImageStep = {
    kind: 'image',
    ...(image.format === 'heic' ? { input: HEIC_DECODED, upright: true } : { input: source }),
    actions: edits.flatMap((edit) => [...edit.actions]),
    output: {
      file: imageFile(isTagged ? `${stem}-pixels` : stem, format),
      format,
      quality: asked.quality ?? null,
      max_bytes: roomFor(asked.max_bytes ?? null, isTagged),
      ...(asked.never_larger === true ? { never_larger: true } : {}),
    },
  }
  const decoding: HeicStep[] =
    image.format === 'heic' ? [{ kind: 'heic', input: source, output: { file: HEIC_DECODED } }] : []
  if (change === null || !isTagged) return planOf([...decoding, picture])
  const tagging = metadataStep(change, picture.output.file, source, imageFile(stem, format))
  return planOf([...decoding, picture, tagging])
}

function leavesPixels({ actions, output }: ImageEdit): boolean {
  return actions.length === 0 && Object.keys(output).length === 0
}

function roomFor(max_bytes: number | null, isTagged: boolean): number | null {
  return max_bytes === null || !isTagged ? max_bytes : Math.max(1, max_bytes - TAGS_BYTES)
}

/** What the input told before it was written anew is taken over, unless all of it was to go. */
function metadataStep(
  { strip, tags }: MetadataChange,
  input: string,
  source: string | null,
  file: string,
): MetadataStep {
  return {
    kind: 'metadata',
    input,
    copy_from: strip === 'all' ? null : source,
    strip,
    tags,
    output: { file },
  }
}

function planOf(steps: [...Step[], Step & { output: Output }]): Plan {
  const { file } = (steps.at(-1) as Step & { output: Output }).output
  return { encode_mode: null, steps, outputs: [{ file }] }
}
