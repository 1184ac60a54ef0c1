import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * Object storage for tests of the fleet alone: keeps bodies in a Map and answers PUT, GET and DELETE.
 * It verifies NOTHING, no signature and no policy; the tests of the whole system use a real S3 endpoint.
 */
export interface ObjectServer {
  url: string
  objects: Map<string, Buffer>
  /** What was sent with each object. */
  headers: Map<string, IncomingMessage['headers']>
  /** While true, every request is answered with 503. */
  broken: boolean
  /** How many requests were refused for that. */
  refused: number
  close(): Promise<void>
}

export async function startObjectServer(bucket: string): Promise<ObjectServer> {
  const state: ObjectServer = {
    url: '',
    objects: new Map(),
    headers: new Map(),
    broken: false,
    refused: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const server = createServer(async (request, response) => {
    const body = await readAll(request).catch(() => null)
    // The sender was ended in the middle of it.
    if (body === null) return
    const key = decodeURIComponent(request.url ?? '').slice(`/${bucket}/`.length)
    if (state.broken) {
      state.refused += 1
      return response.writeHead(503).end('broken')
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
    const stored = state.objects.get(key)
    if (stored === undefined) return response.writeHead(404).end('<Code>NoSuchKey</Code>')
    return response.writeHead(200, { 'content-length': stored.length }).end(stored)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return state
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
