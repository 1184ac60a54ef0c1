import type { MultipartCreated } from '../generated/types.ts'

/**
 * A file to process: a path (only in Node), an http or https URL that the service imports, or the bytes themselves.
 * A string is a URL if it begins with http: or https:, and a path otherwise.
 */
export type Input =
  | string
  | URL
  | Blob
  | ArrayBuffer
  | ArrayBufferView<ArrayBuffer>
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>

export interface CallOptions {
  /** Ends the call. While a job runs, it also cancels the job. */
  signal?: AbortSignal | undefined
  /** Names the request, so that repeating it within 24 hours has no further effect. Default: a new key per call. */
  idempotencyKey?: string
}

export interface UploadOptions extends Pick<CallOptions, 'signal'> {
  /** Name of the file. Default: the name of the path or File, otherwise "file". */
  filename?: string
  /** Content type of the file. Default: the type of the Blob, otherwise "application/octet-stream". */
  contentType?: string
  onProgress?: (progress: Progress) => void
  /** Handle of an upload that ended early. The upload sends only the parts that storage does not have yet. */
  handle?: UploadHandle | null | undefined
  /**
   * Receives the handle of an upload in parts when it starts, and null when there is nothing left to continue: the
   * upload is complete or was refused. With this option, an upload that ends early keeps its parts.
   */
  onHandle?: (handle: UploadHandle | null) => void
}

/** Identifies an upload in parts. It is plain JSON, so that an app can store it and continue after a restart. */
export interface UploadHandle extends MultipartCreated {
  /** Size of the file. Only a file of the same size can continue the upload. */
  size_bytes: number
  /** Hash of samples of the file, which another file of the same size does not match. Absent without HTTPS. */
  fingerprint?: string
}

export interface RunOptions extends UploadOptions, CallOptions {
  /**
   * Headers for a file that is a public URL, such as Authorization or Cookie. The service stores them encrypted until the
   * job ends, and sends them only to the origin of the URL.
   */
  headers?: Record<string, string>
  /** Public URL that receives a signed event when the job ends. */
  webhookUrl?: string
}

export interface Progress {
  phase: 'uploading' | 'queued' | 'processing'
  /** Completed fraction of the phase, from 0 to 1. */
  fraction: number
  /** Id of the job; present after submission. */
  jobId?: string
}

export interface MediaOptions {
  /** An API key, or the access token of a session. Default: the environment variable MEDIA_API_KEY. */
  apiKey?: string
  /** Default: the environment variable MEDIA_API_URL. */
  apiUrl?: string
  /** Language of errors and other texts, such as "uk". Default: that of the browser, and English elsewhere. */
  language?: string
  /** Maximum number of retries of a request that is safe to repeat. Default: 4. */
  maxRetries?: number
  /** Maximum total wait for Retry-After, per request. Default: 120,000. */
  maxWaitMs?: number
  /** Timeout of one attempt of a request; file transfers have none. Default: 60,000. */
  timeoutMs?: number
  /** Maximum time in which an upload sends no bytes; then its part, or a small file, is sent again. Default: 60,000. */
  stallMs?: number
  /** Replaces the global fetch. */
  fetch?: typeof fetch
}
