import type { MultipartCreated } from '../generated/types.ts'
import { MediaError } from './error.ts'
import type { UploadFile } from './input.ts'
import { backoff, pause } from './retry.ts'
import { discard, type UploadContext, type UploadedFile, withHeaders } from './upload.ts'

const CONCURRENT_PARTS = 4
/** Covers an outage of about one minute. */
const ATTEMPTS_MAX = 12

interface SentPart {
  part_number: number
  etag: string
}

/**
 * Uploads a file in parts, several at a time. Failed parts are retried, so a lost connection costs at most the parts in
 * flight. Deletes the parts if the upload ends early. Contract: Uploads, Upload in parts.
 * @param onBytes receives the bytes sent so far
 */
export async function uploadParts(
  context: UploadContext,
  file: UploadFile,
  signal: AbortSignal | undefined,
  onBytes: (bytes: number) => void,
): Promise<UploadedFile> {
  const { uploads } = context
  const { blob, filename, contentType } = file
  const request = { filename, content_type: contentType, size_bytes: blob.size }
  const created = await uploads.createMultipart(request, { signal })
  const { upload_id, key, part_count } = created
  const sent: number[] = []
  const report = (index: number, bytes: number) => {
    sent[index] = bytes
    onBytes(sent.reduce((total, each) => total + each, 0))
  }
  try {
    const parts = await runConcurrently(part_count, signal, (index, partSignal) =>
      sendPart(context, blob, created, index, partSignal, (bytes) => report(index, bytes)),
    )
    return await uploads.completeMultipart({ upload_id, key, parts }, { signal })
  } catch (error) {
    await uploads.abortMultipart({ upload_id, key }).catch(() => undefined)
    throw error
  }
}

async function sendPart(
  { transport, platform, uploads }: UploadContext,
  blob: Blob,
  { upload_id, key, part_size }: MultipartCreated,
  index: number,
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<SentPart> {
  const part_number = index + 1
  const part = blob.slice(index * part_size, (index + 1) * part_size)
  for (let attempt = 1; ; attempt++) {
    try {
      const signed = await uploads.signPart({ upload_id, key, part_number }, { signal })
      const makeInit = () => withHeaders(platform.uploadBody(part, onBytes), signed.headers)
      const response = await transport.transfer(signed.put_url, makeInit, { signal, maxRetries: 0 })
      const etag = response.headers.get('etag')
      await discard(response)
      if (etag === null) throw missingEtag()
      onBytes(part.size)
      return { part_number, etag }
    } catch (error) {
      signal.throwIfAborted()
      if (attempt === ATTEMPTS_MAX || !canSendAgain(error)) throw error
      onBytes(0)
      await pause(Math.random() * backoff(attempt), signal)
    }
  }
}

/**
 * Checks whether a part can be sent again. Storage answers 403 if a signature has expired; the next attempt gets a new
 * one.
 */
function canSendAgain(error: unknown): boolean {
  if (!(error instanceof MediaError)) return false
  const { status, code } = error
  return code === 'network_error' || code === 'timeout' || [403, 408, 429].includes(status) || status >= 500
}

function missingEtag(): MediaError {
  const message = 'Storage sent no ETag header. Let browsers read it in the CORS rules of the bucket.'
  return new MediaError(message, { code: 'invalid_response' })
}

/** Runs a task for each index, a few at a time. The first failure stops the others. */
async function runConcurrently<Answer>(
  count: number,
  signal: AbortSignal | undefined,
  run: (index: number, signal: AbortSignal) => Promise<Answer>,
): Promise<Answer[]> {
  const stop = new AbortController()
  const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal])
  const answers: Answer[] = []
  let next = 0
  const work = async () => {
    while (next < count) {
      const index = next++
      answers[index] = await run(index, either)
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(CONCURRENT_PARTS, count) }, work))
    return answers
  } catch (error) {
    stop.abort(error)
    throw error
  }
}
