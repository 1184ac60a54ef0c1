/** Signs a request for an object with the given headers and query parameters (S3 Signature V4). */
export type Presign = (
  method: 'GET' | 'PUT' | 'POST' | 'DELETE',
  key: string,
  headers: Record<string, string>,
  query: Record<string, string>,
) => Promise<string>

/** A part as declared by its sender. */
export interface SentPart {
  part_number: number
  etag: string
}

export interface PartStorage {
  /** Creates a multipart upload and returns its upload id from storage. */
  create(key: string, contentType: string): Promise<string>
  /** Signs a PUT of one part with exactly the given number of bytes, valid for `seconds`. */
  presign(
    part: { key: string; uploadId: string; partNumber: number; sizeBytes: number },
    seconds: number,
  ): Promise<string>
  /** Signs a CreateMultipartUpload for clients that create the upload themselves, valid for `seconds`. */
  presignCreate(object: { key: string; contentType: string }, seconds: number): Promise<string>
  /** Signs ListParts (GET), CompleteMultipartUpload (POST) or AbortMultipartUpload (DELETE). */
  presignCall(
    call: { method: 'GET' | 'POST' | 'DELETE'; key: string; uploadId: string },
    seconds: number,
  ): Promise<string>
  /** Completes an upload. 'unknown': it was already completed or aborted; 'invalid': the parts do not match. */
  complete(key: string, uploadId: string, parts: readonly SentPart[]): Promise<'done' | 'unknown' | 'invalid'>
  /** Aborts an upload. Does nothing if the upload is unknown. */
  abort(key: string, uploadId: string): Promise<void>
}

/** R2 error numbers: no such upload; no such part, a part that is too small, parts of unequal size. */
const UNKNOWN = /\b10024\b/
const INVALID = /\b(10025|10011|10048)\b/

/** Opens R2 multipart uploads. The binding creates and completes them; clients send the parts through S3. */
export function openPartStorage(bucket: R2Bucket, presign: Presign): PartStorage {
  return {
    async create(key, contentType) {
      return (await bucket.createMultipartUpload(key, { httpMetadata: { contentType } })).uploadId
    },
    presign({ key, uploadId, partNumber, sizeBytes }, seconds) {
      const query = { partNumber: String(partNumber), uploadId, 'X-Amz-Expires': String(seconds) }
      return presign('PUT', key, { 'content-length': String(sizeBytes) }, query)
    },
    presignCreate({ key, contentType }, seconds) {
      const query = { uploads: '', 'X-Amz-Expires': String(seconds) }
      return presign('POST', key, { 'content-type': contentType }, query)
    },
    presignCall({ method, key, uploadId }, seconds) {
      return presign(method, key, {}, { uploadId, 'X-Amz-Expires': String(seconds) })
    },
    async complete(key, uploadId, parts) {
      const sent = parts.map(({ part_number, etag }) => ({ partNumber: part_number, etag: unquote(etag) }))
      try {
        await bucket.resumeMultipartUpload(key, uploadId).complete(sent)
        return 'done'
      } catch (error) {
        const message = error instanceof Error ? error.message : ''
        if (UNKNOWN.test(message)) return 'unknown'
        if (INVALID.test(message)) return 'invalid'
        throw error
      }
    },
    async abort(key, uploadId) {
      try {
        await bucket.resumeMultipartUpload(key, uploadId).abort()
      } catch (error) {
        if (!(error instanceof Error && UNKNOWN.test(error.message))) throw error
      }
    },
  }
}

/** Removes the quotation marks from an ETag header. */
function unquote(etag: string): string {
  return etag.replace(/^"(.*)"$/, '$1')
}
