import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, open, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { MediaError } from '../src/error.ts'
import type { LocalFile, Platform } from '../src/platform.ts'
import type { ResultFile } from '../src/result.ts'
import { backoff, pause } from '../src/retry.ts'

const DOWNLOAD_ATTEMPTS_MAX = 8

/** Platform for Node. Streams files instead of holding them in memory. */
export const nodePlatform: Platform = {
  async openPath(path) {
    const found = await stat(path).catch(() => null)
    if (found === null) throw new TypeError(`File not found: ${path}. Check the path.`)
    if (!found.isFile()) throw new TypeError(`${path} is not a file.`)
    return { blob: await openAsBlob(path), filename: basename(path) }
  },

  async collect(stream, signal): Promise<LocalFile> {
    const folder = await mkdtemp(join(tmpdir(), 'media-upload-'))
    const dispose = () => rm(folder, { recursive: true, force: true })
    try {
      const path = join(folder, 'stream')
      await pipeline(Readable.fromWeb(stream), createWriteStream(path), signal ? { signal } : {})
      return { blob: await openAsBlob(path), dispose }
    } catch (error) {
      await dispose()
      signal?.throwIfAborted()
      throw error
    }
  },

  put(url, { blob, headers, onBytes, signal = null }, customFetch) {
    let sent = 0
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        sent += chunk.byteLength
        onBytes(sent)
        controller.enqueue(chunk)
      },
    })
    const init: RequestInit & { duplex: 'half' } = {
      method: 'PUT',
      body: blob.stream().pipeThrough(counter),
      headers: { ...headers, 'content-length': String(blob.size) },
      duplex: 'half',
      signal,
    }
    return (customFetch ?? fetch)(url, init)
  },

  async save(file, path, signal) {
    const unfinished = `${path}.${randomBytes(4).toString('hex')}.part`
    try {
      await download(file, unfinished, signal)
      await rename(unfinished, path)
    } catch (error) {
      await rm(unfinished, { force: true })
      throw error
    }
  },
}

/** Downloads a file. After a lost connection, resumes at the first missing byte. */
async function download(file: ResultFile, path: string, signal: AbortSignal | undefined): Promise<void> {
  const hash = createHash('sha256')
  const handle = await open(path, 'wx')
  let received = 0
  const receive = async () => {
    const response = await file.fetch({ from: received, ...(signal && { signal }) })
    if (received > 0 && response.status !== 206) throw damaged()
    for await (const chunk of response.body ?? []) {
      await handle.write(chunk)
      hash.update(chunk)
      received += chunk.byteLength
    }
  }
  try {
    await retryTransfer(receive, signal)
  } finally {
    await handle.close()
  }
  const is_intact = file.sha256 === undefined || file.sha256 === hash.digest('hex')
  if (received !== file.size_bytes || !is_intact) throw damaged()
}

/** Retries a transfer after a lost connection. */
async function retryTransfer(transfer: () => Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transfer()
    } catch (error) {
      signal?.throwIfAborted()
      // A lost connection is a TypeError; a full disk is not.
      if (!(error instanceof TypeError) || attempt === DOWNLOAD_ATTEMPTS_MAX) throw error
      await pause(Math.random() * backoff(attempt), signal)
    }
  }
}

function damaged(): MediaError {
  const message = 'The downloaded file differs from the result. Download it again.'
  return new MediaError(message, { code: 'invalid_response' })
}
