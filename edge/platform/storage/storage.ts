import { AwsClient } from 'aws4fetch'
import type { Env } from '../../env.ts'
import { openPartStorage, type PartStorage, type PresignPut } from './part-storage.ts'
import { putStream } from './put-stream.ts'
import type { WantedRange } from './rules/ranges.ts'

export interface Storage {
  /** A PUT that only takes this content type and exactly this many bytes. Lives `seconds`. */
  presignPut(
    object: { key: string; contentType: string; sizeBytes: number },
    seconds: number,
  ): Promise<string>
  /** The first bytes of an object, its size and the Content-Encoding of its PUT; null when there is none. */
  peek(
    key: string,
    bytes: number,
  ): Promise<{ head: Uint8Array; sizeBytes: number; contentEncoding: string | undefined } | null>
  /** An object or a part of it; without a body where the conditions (If-Match and its kin) don't hold. */
  get(key: string, range: WantedRange | null, conditions: Headers): Promise<R2ObjectBody | R2Object | null>
  put(key: string, body: ReadableStream | ArrayBuffer | Blob, contentType: string): Promise<void>
  /** An object of unknown length, while it comes in. */
  putStream(key: string, chunks: AsyncIterable<Uint8Array>, contentType: string): Promise<void>
  remove(keys: string[]): Promise<void>
  /** An object that others send in parts; nothing is there until it is completed. */
  parts: PartStorage
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

/** R2 deletes no more at once. */
const KEYS_MAX = 1000

/**
 * A PUT with this header copies an object that the signer can read, whoever owns it. Signed as empty, it fails the
 * signature of every request that has it.
 */
const COPIES_NOTHING = { 'x-amz-copy-source': '' }

/** R2: by its binding where the Worker itself reads or writes, by S3 signatures for others. */
export function openStorage(env: StorageSettings): Storage {
  const signer = new AwsClient({
    accessKeyId: env.S3_ACCESS_KEY_ID,
    secretAccessKey: env.S3_SECRET_ACCESS_KEY,
    service: 's3',
    region: 'auto',
  })
  const presign: PresignPut = async (key, headers, query) => {
    const path = key.split('/').map(encodeURIComponent).join('/')
    const url = new URL(`${env.S3_ENDPOINT}/${env.S3_BUCKET}/${path}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const aws = { signQuery: true, allHeaders: true }
    const signed = { ...headers, ...(env.S3_SIGNS_ABSENT_HEADERS ? COPIES_NOTHING : {}) }
    return (await signer.sign(url, { method: 'PUT', headers: signed, aws })).url
  }
  return {
    presignPut({ key, contentType, sizeBytes }, seconds) {
      const headers = { 'content-type': contentType, 'content-length': String(sizeBytes) }
      return presign(key, headers, { 'X-Amz-Expires': String(seconds) })
    },
    parts: openPartStorage(env.BUCKET, presign),
    async peek(key, bytes) {
      const object = await env.BUCKET.get(key, { range: { offset: 0, length: bytes } })
      if (object === null) return null
      const contentEncoding = object.httpMetadata?.contentEncoding
      return { head: await object.bytes(), sizeBytes: object.size, contentEncoding }
    },
    async get(key, range, conditions) {
      try {
        return await env.BUCKET.get(key, { range: range ?? undefined, onlyIf: conditions })
      } catch (error) {
        if (range === null || !isRangeError(error)) throw error
        // Its size is wanted all the same, to say what the range could have been.
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

/** R2's error 10039: the range is not satisfiable. */
function isRangeError(error: unknown): boolean {
  return error instanceof Error && /10039|range/i.test(error.message)
}
