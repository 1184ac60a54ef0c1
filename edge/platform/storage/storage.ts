import { AwsClient } from 'aws4fetch'
import type { Env } from '../../env.ts'
import { openPartStorage, type PartStorage, type Presign } from './part-storage.ts'
import { putStream } from './put-stream.ts'
import type { ReadConditions, RequestedRange } from './rules/ranges.ts'

export interface Storage {
  /** Signs a PUT with the given content type and exactly the given number of bytes, valid for `seconds`. */
  presignPut(
    object: { key: string; contentType: string; sizeBytes: number },
    seconds: number,
  ): Promise<string>
  exists(key: string): Promise<boolean>
  /** Reads an object's first bytes, size, ETag and Content-Encoding; returns null if there is no such object. */
  peek(key: string, bytes: number): Promise<ObjectBeginning | null>
  /** Reads an object or a range of it. Returns it without a body if a condition (such as If-Match) is not met. */
  get(
    key: string,
    range?: RequestedRange | null,
    conditions?: ReadConditions,
  ): Promise<R2ObjectBody | R2Object | null>
  put(key: string, body: ReadableStream | ArrayBuffer | Blob, contentType: string): Promise<void>
  /** Writes an object of unknown length from a stream, and returns its ETag. */
  putStream(key: string, chunks: AsyncIterable<Uint8Array>, contentType: string): Promise<string>
  remove(keys: string[]): Promise<void>
  /** Multipart uploads. The object exists only once its upload is complete. */
  parts: PartStorage
}

interface ObjectBeginning {
  head: Uint8Array
  sizeBytes: number
  etag: string
  contentEncoding: string | undefined
}

type StorageSettings = Pick<
  Env,
  | 'BUCKET'
  | 'S3_ENDPOINT'
  | 'S3_BUCKET'
  | 'S3_ACCESS_KEY_ID'
  | 'S3_SECRET_ACCESS_KEY'
  | 'S3_SIGNS_ABSENT_HEADERS'
>

/** Maximum number of keys that R2 deletes in one call. */
const KEYS_MAX = 1000

/**
 * A PUT with this header would copy any object that the signer can read. Signing an empty value makes such requests
 * fail.
 */
const COPIES_NOTHING = { 'x-amz-copy-source': '' }

/** Opens R2: through its binding for the Worker, and through S3 signatures for clients. */
export function openStorage(env: StorageSettings): Storage {
  const signer = new AwsClient({
    accessKeyId: env.S3_ACCESS_KEY_ID,
    secretAccessKey: env.S3_SECRET_ACCESS_KEY,
    service: 's3',
    region: 'auto',
  })
  const presign: Presign = async (method, key, headers, query) => {
    const path = key.split('/').map(encodeURIComponent).join('/')
    const url = new URL(`${env.S3_ENDPOINT}/${env.S3_BUCKET}/${path}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const aws = { signQuery: true, allHeaders: true }
    const mayCopy = method === 'PUT' && env.S3_SIGNS_ABSENT_HEADERS
    const signed = { ...headers, ...(mayCopy ? COPIES_NOTHING : {}) }
    return (await signer.sign(url, { method, headers: signed, aws })).url
  }
  return {
    presignPut({ key, contentType, sizeBytes }, seconds) {
      const headers = { 'content-type': contentType, 'content-length': String(sizeBytes) }
      return presign('PUT', key, headers, { 'X-Amz-Expires': String(seconds) })
    },
    parts: openPartStorage(env.BUCKET, presign),
    exists: async (key) => (await env.BUCKET.head(key)) !== null,
    async peek(key, bytes) {
      const object = await env.BUCKET.get(key, { range: { offset: 0, length: bytes } })
      if (object === null) return null
      const contentEncoding = object.httpMetadata?.contentEncoding
      const { size: sizeBytes, httpEtag: etag } = object
      return { head: await object.bytes(), sizeBytes, etag, contentEncoding }
    },
    async get(key, range = null, conditions = {}) {
      try {
        return await env.BUCKET.get(key, { range: range ?? undefined, onlyIf: new Headers(conditions) })
      } catch (error) {
        if (range === null || !isRangeError(error)) throw error
        // A 416 response needs the size for its Content-Range.
        return env.BUCKET.head(key)
      }
    },
    async put(key, body, contentType) {
      await env.BUCKET.put(key, body, { httpMetadata: { contentType } })
    },
    putStream: (key, chunks, contentType) => putStream(env.BUCKET, key, chunks, contentType),
    async remove(keys) {
      for (let from = 0; from < keys.length; from += KEYS_MAX) {
        await env.BUCKET.delete(keys.slice(from, from + KEYS_MAX))
      }
    },
  }
}

/** Checks for R2 error 10039: range not satisfiable. */
function isRangeError(error: unknown): boolean {
  return error instanceof Error && /10039|range/i.test(error.message)
}
