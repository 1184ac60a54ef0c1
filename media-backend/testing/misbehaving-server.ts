import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A server that gives one answer after another, the last one again and again. */
export interface MisbehavingServer {
  url: string
  /** Headers of the requests so far. */
  requests: IncomingHttpHeaders[]
  close(): void
}

export async function startMisbehavingServer(...answers: Answer[]): Promise<MisbehavingServer> {
  const requests: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    const answer = answers[Math.min(requests.length, answers.length - 1)]
    requests.push(request.headers)
    answer?.(response, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/**
 * Sends a file, or the rest of it on request, as a host that can resume.
 * @param sent_bytes closes the connection after as many bytes
 */
export function sendFile(
  content: Buffer,
  headers: Record<string, string> = {},
  sent_bytes = Number.POSITIVE_INFINITY,
): Answer {
  return (response, { headers: { range } }) => {
    const start = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0)
    const rest = content.subarray(start)
    const part = { 'content-range': `bytes ${start}-${content.length - 1}/${content.length}` }
    const length = { 'content-length': rest.length }
    if (range === undefined) response.writeHead(200, { ...headers, ...length })
    else response.writeHead(206, { ...headers, ...part, ...length })
    if (sent_bytes >= rest.length) response.end(rest)
    else response.write(rest.subarray(0, sent_bytes), () => response.destroy())
  }
}

export function refuse(status: number, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(status, headers).end('not now')
}
