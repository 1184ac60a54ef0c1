import type { ImageEdit } from '../ffmpeg/edit.ts'
import type { ImageFacts } from '../planning/facts.ts'
import { type Plan, type PlanRefusal, refuse } from '../planning/operation.ts'
import { type ImageFormat, type ImageStep, type MetadataStep, SOURCE, type Step } from '../planning/steps.ts'
import { planDecoding } from './decoding.ts'
import { refuseDrawing } from './drawn-pixels.ts'
import { editableFile, holdsFrames, imageFile, keptFormat, refuseSize } from './formats.ts'
import { collectMetadata, type MetadataChange } from './metadata.ts'
import { outputOf } from './output.ts'

/** The stem of a picture that gets its metadata in the step after. */
const PIXELS = 'pixels'

type ImageJobStep = Extract<Step, { kind: 'heic' | 'sequence' | 'profile' | 'image' | 'metadata' }>

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
  const asked = Object.assign({}, ...edits.map((edit) => edit.output)) as ImageEdit['output']
  const after = edits.at(-1)?.after ?? image
  const kept = keptFormat(stem, { format: image.format, has_alpha: after.has_alpha })
  const format = asked.format ?? kept.format
  const unheld = refuseTags(change, format)
  if (unheld !== null) return unheld
  if (edits.every(leavesPixels)) {
    const plan = planMetadata(change, image, { stem, source })
    if (plan !== null) return plan
  }
  const refusal = refuseSize(null, format, after) ?? refuseDrawing(edits, image, format)
  if (refusal !== null) return refusal

  const actions = edits.flatMap((edit) => [...edit.actions])
  const is_tagged = change !== null && (change.strip !== 'all' || Object.keys(change.tags).length > 0)
  const output = outputOf(asked, format, { image, actions, after, is_tagged })
  const decoding = planDecoding(image, source, format)
  const picture: ImageStep = {
    kind: 'image',
    ...decoding.source,
    actions,
    output: { ...output, file: imageFile(is_tagged ? PIXELS : stem, format) },
  }
  const drawn = [...decoding.steps, picture]
  const steps =
    change === null || !is_tagged
      ? drawn
      : [...drawn, metadataStep(change, picture.output.file, source, imageFile(stem, format))]
  return planOf(steps, lossOf(image, format))
}

/** Plans edits of metadata alone; null where the image must be written anew for them. */
function planMetadata(
  change: MetadataChange | null,
  image: ImageFacts,
  { stem, source }: Required<Naming>,
): Plan | PlanRefusal | null {
  if (change === null) return refuse('operations', 'there is nothing to do')
  if (image.sequence?.container === 'avif')
    return refuse(null, 'the metadata of an animated AVIF cannot be changed; convert it to WebP or GIF first')
  const file = editableFile(stem, image.format)
  return file === null ? null : planOf([metadataStep(change, source, null, file)])
}

function refuseTags(change: MetadataChange | null, format: ImageFormat): PlanRefusal | null {
  if (format !== 'gif' || Object.keys(change?.tags ?? {}).length === 0) return null
  return refuse(null, 'a GIF has no place for the EXIF of a device; convert it to another format first')
}

/** Reports the frames that the format cannot hold, and the pages that are not read. */
function lossOf({ pages, unread_pages = 0 }: ImageFacts, format: ImageFormat): Plan['body'] {
  const frames_dropped = unread_pages + (holdsFrames(format) ? 0 : pages - 1)
  return frames_dropped === 0 ? undefined : { frames_dropped }
}

function leavesPixels({ actions, output }: ImageEdit): boolean {
  return actions.length === 0 && Object.keys(output).length === 0
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

/** The last step writes the result. */
function planOf(steps: ImageJobStep[], body?: Plan['body']): Plan | PlanRefusal {
  const last = steps.at(-1)
  if (last === undefined) return refuse('operations', 'there is nothing to do')
  const plan = { encode_mode: null, steps, outputs: [{ file: last.output.file }] } satisfies Plan
  return body === undefined ? plan : { ...plan, body }
}
