import type { Operation } from '../../shared/planning/operation.ts'

/** The params of one telling submit: these, where a preset or the defaults would say less. */
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

/** Each of these spares an operation the measuring of the input, by which it could only be the first. */
const FOLLOWING: Readonly<Record<string, Record<string, unknown>[]>> = {
  'video/subtitles': [{ subtitles_url: 'https://example.org/own.srt' }, { subtitles_text: SUBTITLES }],
}

/** Params by which an operation may follow others that it could not follow without; mostly none. */
export function followingParams({ service, key }: Operation): Record<string, unknown>[] {
  return FOLLOWING[`${service}/${key}`] ?? []
}

/** What addresses the input of a submit, by what the operation takes. */
function inputOf({ accepts }: Operation): Record<string, string> {
  if (accepts.includes('link')) return { url: 'https://example.org/watch?v=1' }
  return { file_url: `https://example.org/${accepts.includes('image') ? 'photo.jpg' : 'clip.mp4'}` }
}

/** The parameters of the example without what addresses a file. */
export function exampleParams(operation: Operation): Record<string, unknown> {
  const { service, key, presets, accepts } = operation
  const told = EXAMPLES[`${service}/${key}`] ?? presets[0]?.params ?? {}
  return accepts.includes('link') ? { ...inputOf(operation), ...told } : told
}

/** The body of `POST /api/v1/jobs` that the page shows for an operation. */
export function exampleBody(operation: Operation) {
  return {
    service_slug: operation.service,
    operation_key: operation.key,
    params: { ...inputOf(operation), ...exampleParams(operation) },
  }
}
