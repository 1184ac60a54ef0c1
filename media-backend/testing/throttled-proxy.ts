import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

const PIECE_BYTES = 64 * 1024

/**
 * A proxy in front of an object storage. It passes only as many file bytes as a test allows, so the test can act
 * between two bytes without relying on a clock. Range, HEAD and DELETE requests always pass until the proxy is
 * shut.
 */
export interface ThrottledProxy {
  url: string
  /** Number of file bytes passed in both directions. */
  passed_bytes: number
  /** Number of file transfers started, whether completed or not. */
  files_started: number
  /** Allows additional file bytes; Infinity removes the limit. The initial limit is 0. */
  open(bytes: number): void
  /** Closes all connections, as a brief network failure would. */
  cut(): void
  /** Stops responding to all requests, including those without a body. */
  shut(): void
  /** Refuses all connections until `start`. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts the proxy.
 * @param target returns the storage URL; called for each request.
 * @param host the Host header that clients have signed, if it differs from that of the proxy.
 */
export async function startThrottledProxy(target: () => string, host?: string): Promise<ThrottledProxy> {
  let allowed_bytes = 0
  let is_shut = false
  let wake = Promise.withResolvers<void>()
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const proxy: ThrottledProxy = {
    url: '',
    passed_bytes: 0,
    files_started: 0,
    open(bytes) {
      allowed_bytes += Math.ceil(bytes)
      wake.resolve()
      wake = Promise.withResolvers()
    },
    cut: () => server.closeAllConnections(),
    shut() {
      is_shut = true
      allowed_bytes = 0
    },
    stop: close,
    start: () => listen(Number(new URL(proxy.url).port)),
    close,
  }

  async function* hold(file: AsyncIterable<Buffer>) {
    proxy.files_started += 1
    for await (const chunk of file) {
      for (let at = 0; at < chunk.length; ) {
        while (allowed_bytes <= 0) await wake.promise
        const piece = chunk.subarray(at, at + Math.min(PIECE_BYTES, allowed_bytes))
        at += piece.length
        allowed_bytes -= piece.length
        proxy.passed_bytes += piece.length
        yield piece
      }
    }
  }

  const server = createServer(async (incoming, response) => {
    if (is_shut) return
    const { method } = incoming
    const headers = { ...incoming.headers, ...(host === undefined ? {} : { host }) }
    const outgoing = forward(`${target()}${incoming.url}`, { method, headers })
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
    try {
      await Promise.all([pipeline(method === 'PUT' ? hold(incoming) : incoming, outgoing), answered])
      const [answer] = await answered
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      const is_file = method === 'GET' && headers.range === undefined
      await pipeline(is_file ? hold(answer) : answer, response)
    } catch {
      // One side has disconnected, so disconnect the other.
      response.destroy()
      outgoing.destroy()
    }
  })
  await listen(0)
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}
