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
  close(): Promise<void>
}

export async function startObjectServer(bucket: string): Promise<ObjectServer> {
  const state: ObjectServer = {
    url: '',
    objects: new Map(),
    headers: new Map(),
    broken: false,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const key = decodeURIComponent(request.url ?? '').slice(`/${bucket}/`.length)
    if (state.broken) return response.writeHead(503).end('broken')
    if (request.method === 'PUT') {
      state.objects.set(key, Buffer.concat(chunks))
      state.headers.set(key, request.headers)
      return response.writeHead(200).end()
    }
    if (request.method === 'DELETE') {
      state.objects.delete(key)
      return response.writeHead(204).end()
    }
    const body = state.objects.get(key)
    if (body === undefined) return response.writeHead(404).end('<Code>NoSuchKey</Code>')
    return response.writeHead(200, { 'content-length': body.length }).end(body)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return state
}
