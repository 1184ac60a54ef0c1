import type { Job } from '../generated/types.ts'
import { JobError } from './error.ts'
import type { Platform } from './platform.ts'
import type { Transport } from './transport.ts'

export interface TransferOptions {
  signal?: AbortSignal
}

type Result = NonNullable<Job['result']>

/** Measurements of any operation. The job's `service_slug` and `operation_key` determine the fields. */
export type ResultBody = Result['body']

interface FileRecord {
  url: string
  filename: string
  content_type: string
  size_bytes: number
  sha256?: string
}

/** File of a job's result. */
export class ResultFile {
  readonly url: string
  readonly filename: string
  readonly content_type: string
  readonly size_bytes: number
  /** Present for the first file of a result. */
  readonly sha256: string | undefined
  // Private fields (#) keep the API key out of a printed result.
  readonly #transport: Transport
  readonly #platform: Platform

  constructor(transport: Transport, platform: Platform, record: FileRecord) {
    this.#transport = transport
    this.#platform = platform
    this.url = record.url
    this.filename = record.filename
    this.content_type = record.content_type
    this.size_bytes = record.size_bytes
    this.sha256 = record.sha256
  }

  /** Requests the file, starting at the byte `from`. */
  fetch(options: TransferOptions & { from?: number } = {}): Promise<Response> {
    const { from = 0, signal } = options
    const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {}
    return this.#transport.get(this.url, { headers, signal, isStreamed: true })
  }

  /** Downloads the file into memory. */
  async blob({ signal }: TransferOptions = {}): Promise<Blob> {
    return (await this.#transport.get(this.url, { signal, isStreamed: false })).blob()
  }

  /** Downloads the file as a stream. */
  async stream(options?: TransferOptions): Promise<ReadableStream<Uint8Array>> {
    return (await this.fetch(options)).body ?? new Blob([]).stream()
  }

  /** Saves the file to a path (Node only). Resumes after a lost connection and verifies the content. */
  async save(path: string, { signal }: TransferOptions = {}): Promise<void> {
    await this.#platform.save(this, path, signal)
  }

  /** Returns the fields of the file, for JSON.stringify. */
  toJSON(): FileRecord {
    const { url, filename, content_type, size_bytes, sha256 } = this
    return { url, filename, content_type, size_bytes, ...(sha256 === undefined ? {} : { sha256 }) }
  }
}

/** Result of a job: the first file, and the measurements of the operation. */
export class MediaResult<Body = ResultBody> extends ResultFile {
  readonly job: Job
  readonly body: Body
  /** Time at which the service deletes the files. */
  readonly expires_at: string
  /** All files of the result. Most results have one. */
  readonly files: readonly ResultFile[]

  constructor(transport: Transport, platform: Platform, job: Job, result: Result) {
    super(transport, platform, result)
    this.job = job
    // The method that ran the operation knows the type of the body.
    this.body = result.body as unknown as Body
    this.expires_at = result.expires_at
    const others = (result.files ?? []).slice(1)
    this.files = [this, ...others.map((record) => new ResultFile(transport, platform, record))]
  }

  /** Returns the fields of the result, for JSON.stringify. The first of `files` is a copy, because it is this object. */
  override toJSON() {
    const { job, body, expires_at, files } = this
    return {
      ...super.toJSON(),
      job,
      body,
      expires_at,
      files: files.map((file) => (file === this ? super.toJSON() : file.toJSON())),
    }
  }
}

/** Returns the result of a finished job. @throws JobError if the job failed or was canceled */
export function resultOf(transport: Transport, platform: Platform, job: Job): MediaResult {
  if (job.status !== 'done' || job.result === null) throw new JobError(job)
  return new MediaResult(transport, platform, job, job.result)
}
