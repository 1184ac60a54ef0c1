import { MediaError } from './error.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { UploadHandle } from './options.ts'
import type { UploadContext, UploadedFile } from './upload.ts'

/** An incomplete upload in parts. */
export interface OpenUpload {
  handle: UploadHandle
  /** ETags of the parts that storage has, by their numbers. */
  stored: ReadonlyMap<number, string>
}

/**
 * Finds the parts of an upload that ended early. Contract: Uploads, Uploads with S3 clients.
 * @returns the file if the upload is complete; null if it no longer exists
 */
export async function findUpload(
  context: UploadContext,
  file: Blob,
  handle: UploadHandle,
  signal: AbortSignal | undefined,
): Promise<OpenUpload | UploadedFile | null> {
  await requireSameFile(file, handle)
  try {
    return { handle, stored: await listStoredParts(context, handle, signal) }
  } catch (error) {
    if (!hasStatus(error, [404, 409])) throw error
    return findCompleteFile(context, handle, signal)
  }
}

/** @throws TypeError for another file than that of the upload */
async function requireSameFile(file: Blob, { size_bytes, fingerprint }: UploadHandle): Promise<void> {
  if (file.size !== size_bytes) {
    throw new TypeError(
      `The file has ${file.size} bytes, but its upload began with ${size_bytes}. Choose the same file.`,
    )
  }
  if (fingerprint === undefined) return
  const actual = await fingerprintOf(file)
  if (actual !== null && actual !== fingerprint) {
    throw new TypeError('The content of the file differs from that of its upload. Choose the same file.')
  }
}

async function listStoredParts(
  { transport, uploads }: UploadContext,
  { upload_id, key, part_size, size_bytes }: UploadHandle,
  signal: AbortSignal | undefined,
): Promise<Map<number, string>> {
  const { url, headers } = await uploads.signS3({ method: 'GET', upload_id, key }, { signal })
  const response = await transport.get(url, { headers, signal, isStreamed: false })
  const parts = parsePartList(await response.text()).filter(
    ({ number, part_bytes }) => part_bytes === Math.min(part_size, size_bytes - (number - 1) * part_size),
  )
  return new Map(parts.map(({ number, etag }) => [number, etag]))
}

/** Parses the S3 response to ListParts. Not every runtime has an XML parser. */
export function parsePartList(xml: string): { number: number; etag: string; part_bytes: number }[] {
  return [...xml.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => {
    const read = (name: string) => new RegExp(`<${name}>(.*?)</${name}>`, 's').exec(part)?.[1] ?? ''
    return {
      number: Number(read('PartNumber')),
      etag: read('ETag').replace(/&quot;|&#34;|"/g, ''),
      part_bytes: Number(read('Size')),
    }
  })
}

/**
 * Returns the file of an upload whose completion succeeded without its response arriving. The service does not compare
 * the ETags of a complete upload.
 */
async function findCompleteFile(
  { uploads }: UploadContext,
  { upload_id, key, part_count }: UploadHandle,
  signal: AbortSignal | undefined,
): Promise<UploadedFile | null> {
  const parts = Array.from({ length: part_count }, (_, index) => ({ part_number: index + 1, etag: '0' }))
  try {
    return await uploads.completeMultipart({ upload_id, key, parts }, { signal })
  } catch (error) {
    if (hasStatus(error, [400, 404])) return null
    throw error
  }
}

function hasStatus(error: unknown, statuses: readonly number[]): boolean {
  return error instanceof MediaError && statuses.includes(error.status)
}
