/** A page that resizes an image and uploads a file with the client. */
import { Media, type UploadHandle } from '../../client/src/index.ts'

export interface UploadOutcome {
  /** null if the upload was paused */
  url: string | null
  fractions: number[]
  storage_requests: number
}

declare global {
  interface Window {
    /** @param image the bytes of the image in base64 */
    resizeImage(
      apiUrl: string,
      apiKey: string,
      image: string,
    ): Promise<{ type: string; width: number; height: number; phases: string[] }>
    /**
     * Uploads a file, or continues the upload that was paused before the page was reloaded.
     * @param pauseAt the progress at which the upload is paused
     */
    uploadFile(apiUrl: string, apiKey: string, size_bytes: number, pauseAt: number): Promise<UploadOutcome>
  }
}

window.resizeImage = async (apiUrl, apiKey, image) => {
  const media = new Media({ apiUrl, apiKey })
  const phases = new Set<string>()
  const file = new File([Uint8Array.from(atob(image), (character) => character.charCodeAt(0))], 'photo.png', {
    type: 'image/png',
  })
  const result = await media.image.resize(
    file,
    { width: 32 },
    { onProgress: ({ phase }) => phases.add(phase) },
  )
  const blob = await result.blob()
  const { width, height } = await createImageBitmap(blob)
  return { type: blob.type, width, height, phases: [...phases] }
}

window.uploadFile = async (apiUrl, apiKey, size_bytes, pauseAt) => {
  const media = new Media({ apiUrl, apiKey })
  const pause = new AbortController()
  const fractions: number[] = []
  const stored = sessionStorage.getItem('upload')
  const uploading = media.uploads.file(new File([new Uint8Array(size_bytes).fill(7)], 'sevens.bin'), {
    handle: stored === null ? null : (JSON.parse(stored) as UploadHandle),
    onHandle: (handle) => {
      if (handle === null) sessionStorage.removeItem('upload')
      else sessionStorage.setItem('upload', JSON.stringify(handle))
    },
    signal: pause.signal,
    onProgress: ({ fraction }) => {
      fractions.push(fraction)
      if (fraction >= pauseAt) pause.abort()
    },
  })
  const url = await uploading.then(
    (file) => file.url,
    (error) => {
      if (pause.signal.aborted) return null
      throw error
    },
  )
  const sent = performance.getEntriesByType('resource').filter(({ name }) => name.includes('partNumber='))
  return { url, fractions, storage_requests: sent.length }
}
