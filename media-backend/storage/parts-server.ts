import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BLOCK_BYTES, type Parts } from './parts.ts'

/** Length of the first response to a reader, and the maximum length for sequential reads. */
const ANSWER_BYTES_MIN = BLOCK_BYTES
const ANSWER_BYTES_MAX = 1024 * 1024

export interface PartsServer {
  url: string
  close(): Promise<void>
}

/**
 * Serves one object to ffmpeg with HTTP range requests on loopback, under an unguessable path. ffmpeg never sees
 * the storage URL or credentials. Responses are short, because ffmpeg requests everything from a position and hangs
 * up once megabytes are buffered. A sequential reader gets 25% more each time, which limits the waste.
 * @param fail receives the reason for a failed response.
 */
export async function startPartsServer(
  parts: Parts,
  size_bytes: number,
  fail: (error: unknown) => void,
): Promise<PartsServer> {
  const path = `/${randomBytes(24).toString('base64url')}`
  /** Maps the end position of each response to its length. */
  const ends = new Map<number, number>()
  const server = createServer((request, response) => {
    if (request.url !== path || request.method !== 'GET') return response.writeHead(404).end()
    const { start, last } = rangeOf(request)
    const length = answerLength(ends.get(start))
    const end = Math.min(size_bytes, start + length, Math.max(start, last) + 1)
    ends.set(end, length)
    return answer(response, parts, { start, end, size_bytes }).catch((error: unknown) => {
      if (!response.closed) fail(error)
      response.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function answerLength(before: number | undefined): number {
  if (before === undefined) return ANSWER_BYTES_MIN
  return Math.min(ANSWER_BYTES_MAX, Math.ceil((1.25 * before) / BLOCK_BYTES) * BLOCK_BYTES)
}

function rangeOf({ headers }: IncomingMessage): { start: number; last: number } {
  const [, start = '0', last = ''] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? []
  return { start: Number(start), last: last === '' ? Number.POSITIVE_INFINITY : Number(last) }
}

async function answer(
  response: ServerResponse,
  parts: Parts,
  { start, end, size_bytes }: { start: number; end: number; size_bytes: number },
): Promise<void> {
  if (start >= size_bytes) {
    response.writeHead(416, { 'content-range': `bytes */${size_bytes}` }).end()
    return
  }
  response.writeHead(206, {
    'content-type': 'application/octet-stream',
    'content-length': end - start,
    'content-range': `bytes ${start}-${end - 1}/${size_bytes}`,
    'accept-ranges': 'bytes',
  })
  const closed = new Promise((resolve) => response.once('close', resolve))
  for (let position = start; position < end && !response.closed; ) {
    const piece = await parts.read(position, end - position)
    position += piece.length
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), closed])
  }
  response.end()
}
