import type { WorkItem } from '../workspace/items.ts'

const durations = new WeakMap<File, Promise<number | null>>()

/** Reads the length of an input in seconds. Returns null if it has none, or if the browser cannot read it. */
export function readDuration({ kind, file }: Pick<WorkItem, 'kind' | 'file'>): Promise<number | null> {
  const source = file.value
  if (kind !== 'video' || source === null) return Promise.resolve(null)
  const known = durations.get(source) ?? probe(source)
  durations.set(source, known)
  return known
}

/** Browsers that support a type without a decoder for this file may report neither its metadata nor an error. */
const TIMEOUT_MS = 15_000

function probe(file: File): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>()
  const video = document.createElement('video')
  const url = URL.createObjectURL(file)
  const timer = setTimeout(resolve, TIMEOUT_MS, null)
  video.preload = 'metadata'
  video.onloadedmetadata = () => resolve(Number.isFinite(video.duration) ? video.duration : null)
  for (const ending of ['error', 'abort', 'emptied']) video.addEventListener(ending, () => resolve(null))
  video.src = url
  return promise.finally(() => {
    clearTimeout(timer)
    video.removeAttribute('src')
    URL.revokeObjectURL(url)
  })
}
