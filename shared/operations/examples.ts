import type { Operation } from '../planning/operation.ts'

/** Example params for operations whose presets and defaults are not enough. */
const EXAMPLES: Readonly<Record<string, Record<string, unknown>>> = {
  'video/trim': { start: 5, duration: 10 },
  'video/add_audio': {
    tracks: [{ url: 'https://example.org/music.mp3', volume: 0.4, loop: true, fade_out: 3, duck: true }],
  },
  'image/edit': {
    operations: [
      { operation_key: 'resize', params: { width: 1200 } },
      { operation_key: 'watermark', params: { text: '© Your name' } },
    ],
  },
}

/** Returns an example input of a type that the operation accepts. */
export function exampleInput({ accepts }: Operation): Record<string, string> {
  if (accepts.includes('link')) return { url: 'https://example.org/watch?v=1' }
  return { file_url: `https://example.org/${accepts.includes('image') ? 'photo.jpg' : 'clip.mp4'}` }
}

/** Returns an example's params without the input file. */
export function exampleParams(operation: Operation): Record<string, unknown> {
  const { service, key, presets, accepts } = operation
  const params = EXAMPLES[`${service}/${key}`] ?? presets[0]?.params ?? {}
  return accepts.includes('link') ? { ...exampleInput(operation), ...params } : params
}

/** Returns the `POST /api/v1/jobs` body shown in an operation's section. */
export function exampleBody(operation: Operation) {
  return {
    service_slug: operation.service,
    operation_key: operation.key,
    params: { ...exampleInput(operation), ...exampleParams(operation) },
  }
}
