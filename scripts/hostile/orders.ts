import type { Order } from '../../media-backend/testing/attempt-jobs.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Operation } from '../../shared/operations/operation.ts'
import { assetKey } from '../../shared/operations/pipeline.ts'
import { validateParams } from '../../shared/operations/validate.ts'

const URL = 'https://media.example.org/asset'
const LINES = '1\n00:00:00,000 --> 00:00:00,900\nline\n'

/** Parameters of operations that neither defaults nor a preset suffice for. */
const PARAMS: Record<string, Record<string, unknown>> = {
  'video/add_audio': { tracks: [{ url: URL }] },
  'video/cover': { text: 'Title' },
  'video/watermark': { text: 'Mark' },
  'image/watermark': { text: 'Mark' },
  'video/trim': { start: 0, end: 0.5 },
  'video/subtitles': { mode: 'embed', subtitles_text: LINES },
  'image/convert': { format: 'png' },
  'image/resize': { width: 32 },
  'image/crop': { x: 0, y: 0, width: 16, height: 16 },
  'image/transform': { rotate: 90 },
  'image/compress': { quality: 50 },
}

/** An order of every operation that takes a file. */
export function ordersOf(service: Operation['service']): Order[] {
  return OPERATIONS.filter(
    (operation) => operation.service === service && operation.accepts.includes(service),
  )
    .filter(({ requiresPipeline }) => requiresPipeline !== true)
    .map((operation) => ({
      service_slug: service,
      operation_key: operation.key,
      params: paramsOf(operation),
    }))
}

function paramsOf(operation: Operation): Record<string, unknown> {
  const name = `${operation.service}/${operation.key}`
  const candidates = [PARAMS[name] ?? {}, {}, ...operation.presets.map(({ params }) => params)]
  const valid = candidates.find((params) => 'params' in validateParams(operation, params))
  if (valid === undefined) throw new Error(`no parameters are known for ${name}`)
  return valid
}

/** Orders whose asset is the hostile file: where it goes, beside a good input. */
export const ASSET_ORDERS: readonly { order: Order; key: string }[] = [
  ['add_audio', { tracks: [{ url: URL }] }, 'tracks.0.url'],
  ['watermark', { logo_url: URL }, 'logo_url'],
  ['subtitles', { mode: 'embed', subtitles_url: URL }, 'subtitles_url'],
  ['subtitles', { mode: 'burn', subtitles_url: URL }, 'subtitles_url'],
].map(([operation_key, params, name]) => ({
  order: { service_slug: 'video', operation_key, params } as Order,
  key: assetKey(0, String(name)),
}))
