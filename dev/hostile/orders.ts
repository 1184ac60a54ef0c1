import type { JobSpec } from '../../media-backend/testing/attempt-jobs.ts'
import { validSpec } from '../../media-backend/testing/valid-spec.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Operation } from '../../shared/planning/operation.ts'
import { assetKey } from '../../shared/planning/pipeline.ts'
import { validateParams } from '../../shared/planning/validate.ts'

const URL = 'https://media.example.org/asset'
const LINES = '1\n00:00:00,000 --> 00:00:00,900\nline\n'

/** Where defaults or a preset don't suffice, or do less with the file. */
const CHOSEN: readonly JobSpec[] = [
  validSpec('video', 'add_audio', { tracks: [{ url: URL }] }),
  validSpec('video', 'cover', { title: 'Title' }),
  validSpec('video', 'watermark', { text: 'Mark' }),
  validSpec('image', 'watermark', { text: 'Mark' }),
  validSpec('video', 'trim', { start: 0, duration: 0.5 }),
  validSpec('video', 'subtitles', { mode: 'embed', subtitles_text: LINES }),
  validSpec('image', 'convert', { format: 'png' }),
  validSpec('image', 'resize', { width: 32 }),
  validSpec('image', 'crop', { crop_aspect: '16:9' }),
  validSpec('image', 'transform', { rotate: 90 }),
  validSpec('image', 'compress', { quality: 50 }),
]

/** An order of every operation that takes a file. */
export function ordersOf(service: Operation['service']): JobSpec[] {
  return OPERATIONS.filter(
    (operation) => operation.service === service && operation.accepts.includes(service),
  )
    .filter(({ requiresPipeline }) => requiresPipeline !== true)
    .map((operation) => chosenOrder(operation) ?? presetOrder(operation))
}

function chosenOrder({ service, key }: Operation): JobSpec | undefined {
  return CHOSEN.find(({ service_slug, operation_key }) => service_slug === service && operation_key === key)
}

/** The defaults, or where something must be said, the first preset that says it. */
function presetOrder(operation: Operation): JobSpec {
  const candidates = [{}, ...operation.presets.map(({ params }) => params)]
  const params = candidates.find((candidate) => 'params' in validateParams(operation, candidate))
  return validSpec(operation.service, operation.key, params)
}

/** Where the sound goes that add_audio adds. */
export const ADDED_SOUND = assetKey(0, 'tracks.0.url')

/** Orders whose asset is the hostile file: where it goes, beside a good input. */
export const ASSET_ORDERS: readonly { order: JobSpec; key: string }[] = [
  { order: validSpec('video', 'add_audio', { tracks: [{ url: URL }] }), key: ADDED_SOUND },
  { order: validSpec('video', 'watermark', { logo_url: URL }), key: assetKey(0, 'logo_url') },
  ...['embed', 'burn'].map((mode) => ({
    order: validSpec('video', 'subtitles', { mode, subtitles_url: URL }),
    key: assetKey(0, 'subtitles_url'),
  })),
]
