import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** Starts a server that records events and responds with a configurable status, 204 by default. */
export async function startReceiver() {
  const received: Received[] = []
  const receiver = { received, status: 204 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    received.push({
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    })
    response.writeHead(receiver.status).end()
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    ...receiver,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Sets the status of all subsequent responses. */
    setStatus(status: number) {
      receiver.status = status
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
