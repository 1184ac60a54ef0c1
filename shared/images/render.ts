import type { ImageEdit } from '../ffmpeg/edit.ts'
import type { ImageFacts } from '../planning/facts.ts'
import { type Plan, type PlanRefusal, refuse } from '../planning/operation.ts'
import { type ImageFormat, type ImageStep, type MetadataStep, SOURCE, type Step } from '../planning/steps.ts'
import type { Texts } from '../text/texts.ts'
import { planDecoding } from './decoding.ts'
import { refuseDrawing } from './drawn-pixels.ts'
import {
  editableFile,
  imageFile,
  keptFormat,
  refuseSize,
  supportsAlpha,
  supportsAnimation,
} from './formats.ts'
import { collectMetadata, type MetadataChange } from './metadata.ts'
import { outputOf } from './output.ts'

/** Stem of the intermediate file to which a later step adds the metadata. */
const PIXELS = 'pixels'

type ImageJobStep = Extract<Step, { kind: 'heic' | 'sequence' | 'profile' | 'image' | 'metadata' }>

interface Naming {
  stem: string
  source?: string
}

/**
 * Plans a sequence of edits as a single sharp run. Keeps the input's format unless an edit requests another.
 * Re-encoded images carry only the metadata that the edits request; metadata-only changes do not re-encode.
 */
export function planImageEdits(
  edits: readonly ImageEdit[],
  image: ImageFacts,
  { stem, source = SOURCE }: Naming,
): Plan | PlanRefusal {
  const change = collectMetadata(edits)
  const requested = Object.assign({}, ...edits.map((edit) => edit.output)) as ImageEdit['output']
  const after = edits.at(-1)?.after ?? image
  const kept = keptFormat(stem, { ...image, has_alpha: after.has_alpha })
  const format = requested.format ?? kept.format
  const tag_refusal = refuseTags(change, format)
  if (tag_refusal !== null) return tag_refusal
  if (edits.every(leavesPixels)) {
    const plan = planMetadata(change, image, { stem, source })
    if (plan !== null) return plan
  }
  const refusal = refuseSize(null, format, after) ?? refuseDrawing(edits, image, format)
  if (refusal !== null) return refusal

  const actions = edits.flatMap((edit) => [...edit.actions])
  const is_tagged = change !== null && (change.strip !== 'all' || Object.keys(change.tags).length > 0)
  const output = outputOf(requested, format, { image, actions, after, is_tagged })
  const decoding = planDecoding(image, source, format)
  const render: ImageStep = {
    kind: 'image',
    ...decoding.source,
    actions,
    output: { ...output, file: imageFile(is_tagged ? PIXELS : stem, format) },
  }
  const drawn = [...decoding.steps, render]
  const steps =
    change === null || !is_tagged
      ? drawn
      : [...drawn, metadataStep(change, render.output.file, source, imageFile(stem, format))]
  return planOf(steps, lossOf(image, format))
}

const NOTHING_TO_DO: Texts = {
  en: 'nothing to do. List at least one operation that changes the image',
  uk: 'немає що виконувати. Укажіть принаймні одну операцію, яка змінює зображення',
  ru: 'нечего выполнять. Укажите хотя бы одну операцию, которая изменяет изображение',
}

/** Plans metadata-only edits. Returns null if they require re-encoding the image. */
function planMetadata(
  change: MetadataChange | null,
  image: ImageFacts,
  { stem, source }: Required<Naming>,
): Plan | PlanRefusal | null {
  if (change === null) return refuse('operations', NOTHING_TO_DO)
  if (image.sequence?.container === 'avif')
    return refuse(null, {
      en: 'the metadata of an animated AVIF cannot be changed. Convert it to WebP first',
      uk: 'Метадані анімованого AVIF змінити неможливо. Спершу перетворіть його на WebP',
      ru: 'Метаданные анимированного AVIF изменить невозможно. Сначала преобразуйте его в WebP',
    })
  if (image.decoded !== undefined)
    return refuse(null, {
      en: 'the metadata of images in this format cannot be changed without encoding them. Convert the image first',
      uk: 'Метадані зображень у цьому форматі неможливо змінити без кодування. Спершу конвертуйте зображення',
      ru: 'Метаданные изображений в этом формате невозможно изменить без кодирования. Сначала конвертируйте изображение',
    })
  const file = editableFile(stem, image.format)
  return file === null ? null : planOf([metadataStep(change, source, null, file)])
}

function refuseTags(change: MetadataChange | null, format: ImageFormat): PlanRefusal | null {
  if (format !== 'gif' || Object.keys(change?.tags ?? {}).length === 0) return null
  return refuse(null, {
    en: 'GIF does not support device EXIF tags. Convert the image to another format first',
    uk: 'GIF не підтримує теги EXIF пристрою. Спершу перетворіть зображення на інший формат',
    ru: 'GIF не поддерживает теги EXIF устройства. Сначала преобразуйте изображение в другой формат',
  })
}

/**
 * Reports the frames and the transparency that the format cannot store, the pages that are not read, and a preview that
 * replaces a camera raw image.
 */
function lossOf(image: ImageFacts, format: ImageFormat): Plan['body'] {
  const { pages, unread_pages = 0, has_alpha, decoded } = image
  const frames_dropped = unread_pages + (supportsAnimation(format) ? 0 : pages - 1)
  const alpha_dropped = has_alpha && !supportsAlpha(format)
  const from_preview = decoded?.is_preview === true
  if (frames_dropped === 0 && !alpha_dropped && !from_preview) return undefined
  return {
    ...(frames_dropped > 0 && { frames_dropped }),
    ...(alpha_dropped && { alpha_dropped }),
    ...(from_preview && { from_preview }),
  }
}

function leavesPixels({ actions, output }: ImageEdit): boolean {
  return actions.length === 0 && Object.keys(output).length === 0
}

/** Copies the input's metadata to a re-encoded image, unless all metadata is removed. */
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

/** Returns the plan; the last step writes the result. */
function planOf(steps: ImageJobStep[], body?: Plan['body']): Plan | PlanRefusal {
  const last = steps.at(-1)
  if (last === undefined) return refuse('operations', NOTHING_TO_DO)
  const plan = { encode_mode: null, steps, outputs: [{ file: last.output.file }] } satisfies Plan
  return body === undefined ? plan : { ...plan, body }
}
