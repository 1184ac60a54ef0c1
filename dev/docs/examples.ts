import type { Operation } from '../../shared/planning/operation.ts'

/** Params of examples for which neither a preset nor the defaults suffice. */
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

const SUBTITLES = '1\n00:00:00,500 --> 00:00:03,500\nYour own subtitles\n'

/** Params with which an operation does not analyze the input and can follow other operations. */
const FOLLOWING: Readonly<Record<string, Record<string, unknown>[]>> = {
  'video/subtitles': [{ subtitles_url: 'https://example.org/own.srt' }, { subtitles_text: SUBTITLES }],
}

/** Returns the params that an operation requires to follow other operations in a pipeline. */
export function followingParams({ service, key }: Operation): Record<string, unknown>[] {
  return FOLLOWING[`${service}/${key}`] ?? []
}

/** Returns the input of an example, depending on what the operation accepts. */
function inputOf({ accepts }: Operation): Record<string, string> {
  if (accepts.includes('link')) return { url: 'https://example.org/watch?v=1' }
  return { file_url: `https://example.org/${accepts.includes('image') ? 'photo.jpg' : 'clip.mp4'}` }
}

/** Returns the params of an example without its input file. */
export function exampleParams(operation: Operation): Record<string, unknown> {
  const { service, key, presets, accepts } = operation
  const params = EXAMPLES[`${service}/${key}`] ?? presets[0]?.params ?? {}
  return accepts.includes('link') ? { ...inputOf(operation), ...params } : params
}

/** Returns the body of `POST /api/v1/jobs` in an operation's section. */
export function exampleBody(operation: Operation) {
  return {
    service_slug: operation.service,
    operation_key: operation.key,
    params: { ...inputOf(operation), ...exampleParams(operation) },
  }
}
