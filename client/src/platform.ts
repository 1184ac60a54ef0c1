import type { ResultFile } from './result.ts'

/** A file that is ready to upload. */
export interface LocalFile {
  blob: Blob
  filename?: string
  /** Deletes a temporary copy. */
  dispose?: () => Promise<void>
}

/** File access of the runtime. */
export interface Platform {
  /** Opens a file by its path. */
  openPath(path: string): Promise<LocalFile>
  /** Reads a stream to the end to determine its size. */
  collect(stream: ReadableStream<Uint8Array>): Promise<LocalFile>
  /** Returns the body of a PUT. `onBytes` receives the bytes as they are sent, if the runtime reports them. */
  uploadBody(blob: Blob, onBytes: (bytes: number) => void): RequestInit
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
  uploadBody: (blob) => ({ body: blob }),
  save: () => {
    throw new TypeError('This runtime cannot save to a path. Call blob() or stream() instead.')
  },
}
