import type { Order } from '../../media-backend/testing/attempt-jobs.ts'
import { validOrder } from '../../media-backend/testing/valid-spec.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Operation } from '../../shared/planning/operation.ts'
import { assetKey } from '../../shared/planning/pipeline.ts'
import { validateParams } from '../../shared/planning/validate.ts'

const URL = 'https://media.example.org/asset'
const LINES = '1\n00:00:00,000 --> 00:00:00,900\nline\n'

/** Where defaults or a preset don't suffice, or do less with the file. */
const CHOSEN: readonly Order[] = [
  validOrder('video', 'add_audio', { tracks: [{ url: URL }] }),
  validOrder('video', 'cover', { title: 'Title' }),
  validOrder('video', 'watermark', { text: 'Mark' }),
  validOrder('image', 'watermark', { text: 'Mark' }),
  validOrder('video', 'trim', { start: 0, duration: 0.5 }),
  validOrder('video', 'subtitles', { mode: 'embed', subtitles_text: LINES }),
  validOrder('image', 'convert', { format: 'png' }),
  validOrder('image', 'resize', { width: 32 }),
  validOrder('image', 'crop', { crop_aspect: '16:9' }),
  validOrder('image', 'transform', { rotate: 90 }),
  validOrder('image', 'compress', { quality: 50 }),
]

/** An order of every operation that takes a file. */
export function ordersOf(service: Operation['service']): Order[] {
  return OPERATIONS.filter(
    (operation) => operation.service === service && operation.accepts.includes(service),
  )
    .filter(({ requiresPipeline }) => requiresPipeline !== true)
    .map((operation) => chosenOrder(operation) ?? presetOrder(operation))
}

function chosenOrder({ service, key }: Operation): Order | undefined {
  return CHOSEN.find(({ service_slug, operation_key }) => service_slug === service && operation_key === key)
}

/** The defaults, or where something must be said, the first preset that says it. */
function presetOrder(operation: Operation): Order {
  const candidates = [{}, ...operation.presets.map(({ params }) => params)]
  const params = candidates.find((candidate) => 'params' in validateParams(operation, candidate))
  return validOrder(operation.service, operation.key, params)
}

/** Where the sound goes that add_audio adds. */
export const ADDED_SOUND = assetKey(0, 'tracks.0.url')

/** Orders whose asset is the hostile file: where it goes, beside a good input. */
export const ASSET_ORDERS: readonly { order: Order; key: string }[] = [
  { order: validOrder('video', 'add_audio', { tracks: [{ url: URL }] }), key: ADDED_SOUND },
  { order: validOrder('video', 'watermark', { logo_url: URL }), key: assetKey(0, 'logo_url') },
  ...['embed', 'burn'].map((mode) => ({
    order: validOrder('video', 'subtitles', { mode, subtitles_url: URL }),
    key: assetKey(0, 'subtitles_url'),
  })),
]
