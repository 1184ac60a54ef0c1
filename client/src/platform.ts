import { putWithProgress } from './put-with-progress.ts'
import type { ResultFile } from './result.ts'

/** A file that is ready to upload. */
export interface LocalFile {
  blob: Blob
  filename?: string
  /** Deletes a temporary copy. */
  dispose?: () => Promise<void>
}

/** A PUT of a blob to storage. */
export interface PutRequest {
  blob: Blob
  headers: Record<string, string>
  /** Receives the number of bytes sent so far, if the runtime reports it. */
  onBytes: (bytes: number) => void
  signal?: AbortSignal | undefined
}

/** File access of the runtime. */
export interface Platform {
  /** Opens a file by its path. */
  openPath(path: string): Promise<LocalFile>
  /** Reads a stream to the end to determine its size. */
  collect(stream: ReadableStream<Uint8Array>, signal: AbortSignal | undefined): Promise<LocalFile>
  /** Sends a blob by PUT. @param customFetch the fetch of the client's options, if there is one */
  put(url: string, request: PutRequest, customFetch: typeof fetch | undefined): Promise<Response>
  /** Saves a result to a path. */
  save(file: ResultFile, path: string, signal?: AbortSignal): Promise<void>
}

/** Platform for browsers, Workers, and other runtimes that have only web standards. */
export const webPlatform: Platform = {
  openPath: (path) => {
    throw new TypeError(
      `This runtime cannot open the path ${path}. Pass a Blob, or a URL with http or https.`,
    )
  },
  collect: async (stream) => ({ blob: await new Response(stream).blob() }),
  put(url, request, customFetch) {
    if (customFetch === undefined && 'XMLHttpRequest' in globalThis) return putWithProgress(url, request)
    const { blob, headers, signal = null } = request
    return (customFetch ?? fetch)(url, { method: 'PUT', headers, body: blob, signal })
  },
  save: () => {
    throw new TypeError('This runtime cannot save to a path. Call blob() or stream() instead.')
  },
}
