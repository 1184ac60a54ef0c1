import { MediaError } from './error.ts'
import { findUpload, type OpenUpload } from './find-upload.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { UploadFile } from './input.ts'
import type { UploadHandle, UploadOptions } from './options.ts'
import { backoff, pause } from './retry.ts'
import { runConcurrently } from './run-concurrently.ts'
import type { UploadContext, UploadedFile } from './upload.ts'

/** Covers an outage of about one minute. */
const ATTEMPTS_MAX = 12

interface SentPart {
  part_number: number
  etag: string
}

/**
 * Uploads a file in parts, or continues an earlier upload. Failed parts are retried, so a lost connection costs at most
 * the parts in flight. If the upload ends early, its parts are deleted unless the caller has its handle.
 * Contract: Uploads, Upload in parts.
 * @param onBytes receives the bytes sent so far
 */
export async function uploadParts(
  context: UploadContext,
  file: UploadFile,
  options: UploadOptions,
  onBytes: (bytes: number) => void,
): Promise<UploadedFile> {
  const { signal, handle, onHandle } = options
  const found = handle ? await findUpload(context, file.blob, handle, signal) : null
  const upload = found ?? (await createUpload(context, file, signal))
  if ('url' in upload) {
    onHandle?.(null)
    return upload
  }
  const { upload_id, key } = upload.handle
  onHandle?.(upload.handle)
  try {
    const parts = await sendMissingParts(context, file.blob, upload, signal, onBytes)
    const uploaded = await context.uploads.completeMultipart({ upload_id, key, parts }, { signal })
    onHandle?.(null)
    return uploaded
  } catch (error) {
    const is_kept = handle || onHandle !== undefined
    if (is_kept && !isFinal(error)) throw error
    onHandle?.(null)
    await context.uploads.abortMultipart({ upload_id, key }).catch(() => undefined)
    throw error
  }
}

async function createUpload(
  { uploads }: UploadContext,
  { blob, filename, contentType }: UploadFile,
  signal: AbortSignal | undefined,
): Promise<OpenUpload> {
  const request = { filename, content_type: contentType, size_bytes: blob.size }
  const fingerprint = await fingerprintOf(blob)
  const created = await uploads.createMultipart(request, { signal })
  const handle = { ...created, size_bytes: blob.size, ...(fingerprint !== null && { fingerprint }) }
  return { handle, stored: new Map() }
}

/** Sends the parts that storage does not have, several at a time. */
function sendMissingParts(
  context: UploadContext,
  blob: Blob,
  { handle, stored }: OpenUpload,
  signal: AbortSignal | undefined,
  onBytes: (bytes: number) => void,
): Promise<SentPart[]> {
  const { part_size, part_count } = handle
  const cut = (index: number) => blob.slice(index * part_size, (index + 1) * part_size)
  const sent = Array.from({ length: part_count }, (_, index) => (stored.has(index + 1) ? cut(index).size : 0))
  const report = (index: number, bytes: number) => {
    sent[index] = bytes
    onBytes(sent.reduce((total, each) => total + each, 0))
  }
  return runConcurrently(part_count, signal, async (index, partSignal) => {
    const part_number = index + 1
    const etag = stored.get(part_number)
    if (etag !== undefined) return { part_number, etag }
    const part = { handle, part_number, blob: cut(index) }
    return { part_number, etag: await sendPart(context, part, partSignal, (bytes) => report(index, bytes)) }
  })
}

/** Sends a part, again if need be. @returns its ETag */
async function sendPart(
  { transport, platform, uploads }: UploadContext,
  { handle, part_number, blob }: { handle: UploadHandle; part_number: number; blob: Blob },
  signal: AbortSignal,
  onBytes: (bytes: number) => void,
): Promise<string> {
  const { upload_id, key } = handle
  for (let attempt = 1; ; attempt++) {
    try {
      const { put_url, headers } = await uploads.signPart({ upload_id, key, part_number }, { signal })
      const response = await transport.put(platform, put_url, { blob, headers, onBytes, signal }, 0)
      const etag = response.headers.get('etag')
      if (etag === null) throw missingEtag()
      onBytes(blob.size)
      return etag
    } catch (error) {
      signal.throwIfAborted()
      if (attempt === ATTEMPTS_MAX || !canSendAgain(error)) throw error
      onBytes(0)
      await pause(Math.random() * backoff(attempt), signal)
    }
  }
}

/** Checks whether the service or storage has refused the upload, so that it cannot be continued. */
function isFinal(error: unknown): boolean {
  if (!(error instanceof MediaError)) return false
  const { status } = error
  return status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status)
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
