import type { JobSpec } from '../../media-backend/testing/attempt-jobs.ts'
import { validSpec } from '../../media-backend/testing/valid-spec.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { Operation } from '../../shared/planning/operation.ts'
import { assetKey } from '../../shared/planning/pipeline.ts'
import { validateParams } from '../../shared/planning/validate.ts'

const URL = 'https://media.example.org/asset'
const LINES = '1\n00:00:00,000 --> 00:00:00,900\nline\n'

/** Job specs for operations whose defaults and presets are invalid or process less of the file. */
const CUSTOM_SPECS: readonly JobSpec[] = [
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

/** Returns a job spec for every operation that accepts a file. */
export function listJobSpecs(service: Operation['service']): JobSpec[] {
  return OPERATIONS.filter(
    (operation) => operation.service === service && operation.accepts.includes(service),
  )
    .filter(({ requiresPipeline }) => requiresPipeline !== true)
    .map((operation) => findCustomSpec(operation) ?? createDefaultSpec(operation))
}

function findCustomSpec({ service, key }: Operation): JobSpec | undefined {
  return CUSTOM_SPECS.find(
    ({ service_slug, operation_key }) => service_slug === service && operation_key === key,
  )
}

/** Uses the defaults, or the first valid preset if parameters are required. */
function createDefaultSpec(operation: Operation): JobSpec {
  const candidates = [{}, ...operation.presets.map(({ params }) => params)]
  const params = candidates.find((candidate) => 'params' in validateParams(operation, candidate))
  return validSpec(operation.service, operation.key, params)
}

/** Asset key of the audio file that add_audio adds. */
export const ADDED_AUDIO = assetKey(0, 'tracks.0.url')

/** Jobs with a valid input that use the hostile file as the asset named by `key`. */
export const ASSET_JOBS: readonly { spec: JobSpec; key: string }[] = [
  { spec: validSpec('video', 'add_audio', { tracks: [{ url: URL }] }), key: ADDED_AUDIO },
  { spec: validSpec('video', 'watermark', { logo_url: URL }), key: assetKey(0, 'logo_url') },
  ...['embed', 'burn'].map((mode) => ({
    spec: validSpec('video', 'subtitles', { mode, subtitles_url: URL }),
    key: assetKey(0, 'subtitles_url'),
  })),
]
