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
  signal?: AbortSignal
  /** Names the request, so that repeating it within 24 hours has no further effect. Default: a new key per call. */
  idempotencyKey?: string
}

export interface UploadOptions extends CallOptions {
  /** Name of the file. Default: the name of the path or of the File, else "file". */
  filename?: string
  /** Content type of the file. Default: that of the Blob, else "application/octet-stream". */
  contentType?: string
  onProgress?: (progress: Progress) => void
}

export interface RunOptions extends UploadOptions {
  /** Public URL that receives a signed event when the job ends. */
  webhookUrl?: string
}

export interface Progress {
  phase: 'uploading' | 'queued' | 'processing'
  /** Completed part of the phase, from 0 to 1. */
  fraction: number
  /** Id of the job, once it is submitted. */
  jobId?: string
}

export interface MediaOptions {
  /** An API key, or the access token of a session. Default: the environment variable MEDIA_API_KEY. */
  apiKey?: string
  /** Default: the environment variable MEDIA_API_URL. */
  apiUrl?: string
  /** Attempts after a failed one, for requests that are safe to repeat. Default: 4. */
  maxRetries?: number
  /** Longest total wait of a request that the service asks to send later (Retry-After). Default: 120,000. */
  maxWaitMs?: number
  /** Timeout of one attempt of a request; file transfers have none. Default: 60,000. */
  timeoutMs?: number
  /** Replaces the global fetch. */
  fetch?: typeof fetch
}
