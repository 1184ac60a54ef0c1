/** Signs a PUT of an object by S3's protocol, with these headers and this query in the signature. */
export type PresignPut = (
  key: string,
  headers: Record<string, string>,
  query: Record<string, string>,
) => Promise<string>

/** A part as whoever sent it tells it. */
export interface SentPart {
  part_number: number
  etag: string
}

export interface PartStorage {
  /** @returns storage's name for the upload. */
  create(key: string, contentType: string): Promise<string>
  /** A PUT that takes one part of exactly this many bytes. Lives `seconds`. */
  presign(
    part: { key: string; uploadId: string; partNumber: number; sizeBytes: number },
    seconds: number,
  ): Promise<string>
  /** 'unknown': it was completed or aborted before. 'invalid': these are not the parts that came. */
  complete(key: string, uploadId: string, parts: readonly SentPart[]): Promise<'done' | 'unknown' | 'invalid'>
  /** Also of an upload that is unknown by now. */
  abort(key: string, uploadId: string): Promise<void>
}

/** R2's errors, by their numbers: no such upload; no such part, a part too small, parts that are not equal. */
const UNKNOWN = /\b10024\b/
const INVALID = /\b(10025|10011|10048)\b/

/** R2: uploads made and ended by its binding, their parts sent by S3's protocol; the two know the same uploads. */
export function openPartStorage(bucket: R2Bucket, presignPut: PresignPut): PartStorage {
  return {
    async create(key, contentType) {
      return (await bucket.createMultipartUpload(key, { httpMetadata: { contentType } })).uploadId
    },
    presign({ key, uploadId, partNumber, sizeBytes }, seconds) {
      const query = { partNumber: String(partNumber), uploadId, 'X-Amz-Expires': String(seconds) }
      return presignPut(key, { 'content-length': String(sizeBytes) }, query)
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

/** As a header carries it, or bare. */
function unquote(etag: string): string {
  return etag.replace(/^"(.*)"$/, '$1')
}
