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

function probe(file: File): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>()
  const video = document.createElement('video')
  const url = URL.createObjectURL(file)
  video.preload = 'metadata'
  video.onloadedmetadata = () => resolve(Number.isFinite(video.duration) ? video.duration : null)
  video.onerror = () => resolve(null)
  video.src = url
  return promise.finally(() => {
    video.removeAttribute('src')
    URL.revokeObjectURL(url)
  })
}
