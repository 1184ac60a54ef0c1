import { Agent, createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Where a connection breaks: before the receiver has the request, or after it has answered and before the sender knows. */
export type Break = 'before' | 'after'

/** An HTTP proxy that breaks chosen requests once and forwards all others unchanged. */
export interface Line {
  url: string
  /** Breaks the next request that contains all of the texts. */
  breakNext(texts: readonly string[], where: Break): void
  /** Returns the breaks whose requests have not come. */
  pending(): string[]
  close(): Promise<void>
}

/** Opens a line to a port of this machine. */
export async function openLine(target_port: number): Promise<Line> {
  const breaks = new Map<readonly string[], Break>()
  const agent = new Agent({ keepAlive: true })
  const server = createServer(async (request, response) => {
    try {
      const body = await buffer(request)
      const where = takeBreak(breaks, body)
      if (where === 'before') return response.destroy()
      await pass(request, body, response, { target_port, agent, isAnswered: where !== 'after' })
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    breakNext: (texts, where) => breaks.set(texts, where),
    pending: () => [...breaks.keys()].map((texts) => texts.join(' ')),
    close: () => {
      agent.destroy()
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Returns where this request breaks, once. */
function takeBreak(breaks: Map<readonly string[], Break>, body: Buffer): Break | undefined {
  for (const [texts, where] of breaks) {
    if (!texts.every((text) => body.includes(text))) continue
    breaks.delete(texts)
    return where
  }
  return undefined
}

/** Forwards a request. Reads the whole answer before the connection breaks, so that the receiver has done its work. */
function pass(
  request: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
  { target_port, agent, isAnswered }: { target_port: number; agent: Agent; isAnswered: boolean },
): Promise<void> {
  const { method, url, headers } = request
  return new Promise((resolve, reject) => {
    const forwarded = forward(
      { host: '127.0.0.1', port: target_port, method, path: url, headers, agent },
      (answer) => {
        answer.on('error', reject)
        answer.on('end', resolve)
        if (!isAnswered) {
          answer.resume().on('end', () => response.destroy())
          return
        }
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    forwarded.on('error', reject)
    forwarded.end(body)
  })
}
