import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Object storage for fleet tests only: keeps bodies in a Map and supports PUT, GET, ranges, HEAD and DELETE.
 * Verifies NO signature and no policy; tests of the whole system use a real S3 endpoint.
 */
export interface ObjectServer {
  url: string
  objects: Map<string, Buffer>
  /** Request headers of each upload, by object key. */
  headers: Map<string, IncomingMessage['headers']>
  /** Status with which every request fails; null if none does. */
  failing: number | null
  /** Number of requests that failed with this status. */
  refused: number
  /** Number of bytes sent for each object across all responses. */
  sent_bytes: Map<string, number>
  close(): Promise<void>
}

export async function startObjectServer(bucket: string): Promise<ObjectServer> {
  const state: ObjectServer = {
    url: '',
    objects: new Map(),
    headers: new Map(),
    failing: null,
    refused: 0,
    sent_bytes: new Map(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const server = createServer(async (request, response) => {
    const body = await readAll(request).catch(() => null)
    // The client disconnected before the end of its request.
    if (body === null) return
    const key = decodeURIComponent(request.url ?? '').slice(`/${bucket}/`.length)
    if (state.failing !== null) {
      state.refused += 1
      return response.writeHead(state.failing).end('failing')
    }
    if (request.method === 'PUT') {
      state.objects.set(key, body)
      state.headers.set(key, request.headers)
      return response.writeHead(200).end()
    }
    if (request.method === 'DELETE') {
      state.objects.delete(key)
      return response.writeHead(204).end()
    }
    answerRead(state, key, request, response)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return state
}

/** Answers GET and HEAD, on condition of If-Match. */
function answerRead(state: ObjectServer, key: string, request: IncomingMessage, response: ServerResponse) {
  const stored = state.objects.get(key)
  if (stored === undefined) return response.writeHead(404).end('<Code>NoSuchKey</Code>')
  const { range, 'if-match': wanted } = request.headers
  if (wanted !== undefined && wanted !== etagOf(stored)) return response.writeHead(412).end()
  if (request.method === 'HEAD') return response.writeHead(200, { 'content-length': stored.length }).end()
  const { status, headers, part } = cutRange(stored, range)
  state.sent_bytes.set(key, (state.sent_bytes.get(key) ?? 0) + part.length)
  return response.writeHead(status, { ...headers, 'content-length': part.length }).end(part)
}

/** Returns the ETag with which an object can be requested. */
export function etagOf(stored: Buffer): string {
  return `"${createHash('md5').update(stored).digest('hex')}"`
}

/** Returns the range `bytes=a-b` of an object, or the whole object. */
function cutRange(stored: Buffer, range: string | undefined) {
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  if (first === undefined) return { status: 200, headers: {}, part: stored }
  const start = Number(first)
  const end = Math.min(stored.length, last === '' ? stored.length : Number(last) + 1)
  if (start >= end) return { status: 416, headers: {}, part: Buffer.alloc(0) }
  const headers = { 'content-range': `bytes ${start}-${end - 1}/${stored.length}` }
  return { status: 206, headers, part: stored.subarray(start, end) }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
