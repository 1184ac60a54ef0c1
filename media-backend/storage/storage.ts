import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { StoredObject } from '../../shared/protocol/dispatch.ts'
import type { Environment } from '../environment.ts'
import { type ReportBytes, watchArrival } from '../runtime/arrival.ts'
import { failWith } from '../runtime/failure.ts'
import { type StorageCaller, UnexpectedStatus, withRetries } from './retries.ts'
import { watchSilence } from './silence.ts'

const SILENCE_MS_MAX = 60_000
/** Large buffers reduce the number of reads and writes: an image takes one or two. */
const BUFFER_BYTES = 1024 * 1024

/**
 * The object storage, accessed over S3. Every error except JobFailure is retryable. Outages are waited out for
 * STORAGE_OUTAGE_SECONDS_MAX, except by removals, which nobody waits for.
 */
export interface Storage {
  /** Downloads an object to a file and returns its size in bytes. */
  download(
    object: StoredObject,
    path: string,
    caller: StorageCaller,
    reportBytes: ReportBytes,
  ): Promise<number>
  /** Returns the size of an object in bytes. */
  measure(object: StoredObject, caller: StorageCaller): Promise<number>
  /** Reads exactly the given range of an object. */
  readRange(object: StoredObject, range: ByteRange, caller: StorageCaller): Promise<Buffer>
  upload(key: string, file: LocalFile, caller: StorageCaller, reportBytes: ReportBytes): Promise<StoredFile>
  remove(key: string, signal?: AbortSignal): Promise<void>
}

export interface ByteRange {
  start: number
  length: number
}

export interface LocalFile {
  path: string
  content_type: string
}

export interface StoredFile {
  size_bytes: number
  sha256: string
}

interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  key: string
  headers?: Record<string, string>
  body?: readonly [Readable, Transform]
  signal?: AbortSignal | undefined
}

type Settings = Pick<
  Environment,
  'S3_ENDPOINT' | 'S3_BUCKET' | 'S3_ACCESS_KEY_ID' | 'S3_SECRET_ACCESS_KEY' | 'STORAGE_OUTAGE_SECONDS_MAX'
>

/**
 * Creates the object storage client.
 * @param silence_ms_max time without a byte after which a request fails.
 */
export function createStorage(settings: Settings, silence_ms_max = SILENCE_MS_MAX): Storage {
  const send = createS3Client(settings, silence_ms_max)
  const outage_ms_max = settings.STORAGE_OUTAGE_SECONDS_MAX * 1000
  return {
    download: (object, path, caller, reportBytes) =>
      withRetries(caller, outage_ms_max, () => downloadObject(send, object, path, caller, reportBytes)),
    measure: (object, caller) =>
      withRetries(caller, outage_ms_max, () => measureObject(send, object, caller)),
    readRange: (object, range, caller) =>
      withRetries(caller, outage_ms_max, () => readObjectRange(send, object, range, caller)),
    upload: (key, file, caller, reportBytes) =>
      withRetries(caller, outage_ms_max, () => uploadObject(send, key, file, caller, reportBytes)),
    remove: (key, signal) =>
      withRetries({ signal }, 0, async () => {
        await discard(await send({ method: 'DELETE', key, signal }), [200, 204, 404])
      }),
  }
}

type S3Client = (request: S3Request) => Promise<IncomingMessage>

async function downloadObject(
  send: S3Client,
  object: StoredObject,
  path: string,
  { signal, waits }: StorageCaller,
  reportBytes: ReportBytes,
): Promise<number> {
  const noteArrival = watchSilence(waits)
  const response = await send({ method: 'GET', ...unchanged(object), signal })
  noteArrival()
  await requireFound(response, 200)
  watchArrival(response, (done_bytes, total_bytes) => {
    noteArrival()
    reportBytes(done_bytes, total_bytes)
  })
  const file = createWriteStream(path, { mode: 0o600, highWaterMark: BUFFER_BYTES })
  await pipeline(response, file, { signal })
  return file.bytesWritten
}

async function measureObject(
  send: S3Client,
  object: StoredObject,
  { signal, waits }: StorageCaller,
): Promise<number> {
  const noteArrival = watchSilence(waits)
  const response = await send({ method: 'HEAD', ...unchanged(object), signal })
  noteArrival()
  await requireFound(response, 200)
  await discard(response, [200])
  const size_bytes = Number(response.headers['content-length'] ?? Number.NaN)
  if (!Number.isSafeInteger(size_bytes)) throw new Error('the storage declared no size for an object')
  return size_bytes
}

async function readObjectRange(
  send: S3Client,
  object: StoredObject,
  { start, length }: ByteRange,
  { signal, waits }: StorageCaller,
): Promise<Buffer> {
  const noteArrival = watchSilence(waits)
  const { key, headers: conditions } = unchanged(object)
  const headers = { ...conditions, range: `bytes=${start}-${start + length - 1}` }
  const response = await send({ method: 'GET', key, headers, signal })
  noteArrival()
  await requireFound(response, 206)
  const chunks: Buffer[] = []
  for await (const chunk of response) {
    noteArrival()
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  if (bytes.length !== length) throw new Error(`the storage sent ${bytes.length} of ${length} bytes`)
  return bytes
}

/** Reads an object on condition that it is still the one that the edge has checked. */
function unchanged({ key, etag }: StoredObject): Pick<S3Request, 'key' | 'headers'> {
  return { key, headers: etag === undefined ? {} : { 'if-match': etag } }
}

/** Checks the status. Leaves the body unread if the status is the expected one. */
async function requireFound(response: IncomingMessage, wanted: 200 | 206): Promise<void> {
  if (response.statusCode === 404) {
    await discard(response, [404])
    throw failWith('input_gone')
  }
  if (response.statusCode === 412) {
    await discard(response, [412])
    throw failWith('input_changed')
  }
  if (response.statusCode !== wanted) await discard(response, [wanted])
}

/** Uploads a file with its length, and computes its SHA-256 while sending. */
async function uploadObject(
  send: S3Client,
  key: string,
  { path, content_type }: LocalFile,
  { signal, waits }: StorageCaller,
  reportBytes: ReportBytes,
): Promise<StoredFile> {
  const { size } = await stat(path)
  const hash = createHash('sha256')
  const noteArrival = watchSilence(waits)
  let sent_bytes = 0
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      hash.update(chunk)
      sent_bytes += chunk.length
      noteArrival()
      reportBytes(sent_bytes, size)
      callback(null, chunk)
    },
  })
  const headers = { 'content-type': content_type, 'content-length': String(size) }
  const body = [createReadStream(path, { highWaterMark: BUFFER_BYTES }), hashing] as const
  const response = await send({ method: 'PUT', key, headers, body, signal })
  noteArrival()
  await discard(response, [200])
  return { size_bytes: size, sha256: hash.digest('hex') }
}

/** Encodes a path segment for the signature. Unlike encodeURIComponent, also encodes the characters !'()*. */
function encodePart(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function createS3Client(settings: Settings, silence_ms_max: number): S3Client {
  const secure = settings.S3_ENDPOINT.startsWith('https:')
  const agent = new (secure ? SecureAgent : PlainAgent)({ keepAlive: true, maxSockets: 64 })
  const begin = secure ? secureRequest : plainRequest
  const cache = new Map<string, ArrayBuffer>()
  return async ({ method, key, headers = {}, body, signal }) => {
    const path = key.split('/').map(encodePart).join('/')
    const signed = await new AwsV4Signer({
      method,
      url: `${settings.S3_ENDPOINT}/${settings.S3_BUCKET}/${path}`,
      headers: { ...headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      accessKeyId: settings.S3_ACCESS_KEY_ID,
      secretAccessKey: settings.S3_SECRET_ACCESS_KEY,
      service: 's3',
      region: 'auto',
      cache,
    }).sign()
    return new Promise((resolve, reject) => {
      const options = {
        method,
        headers: { ...headers, ...Object.fromEntries(signed.headers) },
        agent,
        signal,
      }
      const outgoing = begin(signed.url, options, resolve)
      outgoing.setTimeout(silence_ms_max, () => outgoing.destroy(silenceError()))
      outgoing.on('error', reject)
      if (body === undefined) outgoing.end()
      else pipeline(...body, outgoing).catch(reject)
    })
  }
}

/** Reads a response to the end, so the connection can be reused. Throws if the status is unexpected. */
async function discard(response: IncomingMessage, wanted: number[]): Promise<void> {
  const status = response.statusCode ?? 0
  let text = ''
  for await (const chunk of response) if (text.length < 500) text += chunk
  if (!wanted.includes(status)) throw new UnexpectedStatus(status, text.slice(0, 500))
}

function silenceError(): Error {
  return Object.assign(new Error('the storage stopped responding'), { code: 'ETIMEDOUT' })
}
