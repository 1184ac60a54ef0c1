import type { Job } from '../../client/src/index.ts'

/** Returns the name of a job's input, the last segment of its URL; null if the URL has none. */
export function inputName({ params }: Pick<Job, 'params'>): string | null {
  const { file_url } = params
  if (typeof file_url !== 'string') return null
  const segment = URL.parse(file_url)?.pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(segment) || null
  } catch {
    return segment
  }
}
