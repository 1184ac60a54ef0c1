import { once } from 'node:events'
import { createServer, request as forward, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'

const PIECE_BYTES = 64 * 1024

/**
 * Stands before an object storage and lets whole files pass only as far as a test says, so that a test
 * sees what happens between two bytes without a clock. Ranges, HEAD and DELETE pass while it isn't shut.
 */
export interface ThrottledProxy {
  url: string
  /** Bytes of files that have passed, either way. */
  passed_bytes: number
  /** How many files set out, whether they arrived or not. */
  files_begun: number
  /** Lets so many more bytes of files pass; Infinity opens it. It begins closed. */
  open(bytes: number): void
  /** From now on nothing is answered any more, not even what has no body. */
  shut(): void
  close(): Promise<void>
}

/** @param target where the storage listens; asked at each request. */
export async function startThrottledProxy(target: () => string): Promise<ThrottledProxy> {
  let allowed_bytes = 0
  let is_shut = false
  let wake = Promise.withResolvers<void>()
  const proxy: ThrottledProxy = {
    url: '',
    passed_bytes: 0,
    files_begun: 0,
    open(bytes) {
      allowed_bytes += Math.ceil(bytes)
      wake.resolve()
      wake = Promise.withResolvers()
    },
    shut() {
      is_shut = true
      allowed_bytes = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  async function* hold(file: AsyncIterable<Buffer>) {
    proxy.files_begun += 1
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
    const { method, headers } = incoming
    const outgoing = forward(`${target()}${incoming.url}`, { method, headers })
    const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
    try {
      await Promise.all([pipeline(method === 'PUT' ? hold(incoming) : incoming, outgoing), answered])
      const [answer] = await answered
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      const is_file = method === 'GET' && headers.range === undefined
      await pipeline(is_file ? hold(answer) : answer, response)
    } catch {
      // Whoever was at the one end is gone: the other hears of it.
      response.destroy()
      outgoing.destroy()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}
