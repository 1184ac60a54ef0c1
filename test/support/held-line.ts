import { createConnection, createServer, type Socket } from 'node:net'
import { joinSockets } from '../system/line.ts'

/** The requests that a line stops: in the response, after the first bytes of the body, or before it. */
export const PHASES = ['fetch', 'upload', 'report'] as const
export type Phase = (typeof PHASES)[number]

const STARTS: Record<Phase, RegExp> = {
  fetch: /^GET \S*\/uploads\//,
  upload: /^PUT \S*\/results\//,
  report: /"job\.finished"/,
}

/** A TCP proxy from the fleet to storage and edge that stops one request of each phase in the middle. */
export interface HeldLine {
  port: number
  /** Begins to stop requests, and waits until one of each phase is stopped. */
  hold(): Promise<void>
  release(): void
  close(): Promise<void>
}

export async function openHeldLine(target: number): Promise<HeldLine> {
  const sockets = new Set<Socket>()
  let waiting = new Map<Phase, () => void>()
  let releases: (() => void)[] = []
  const server = createServer((near) => {
    const far = createConnection({ port: target, host: '127.0.0.1' })
    joinSockets(sockets, near, far)
    near.on('end', () => far.end())
    far.on('end', () => near.end())
    near.on('data', (chunk) => {
      const phase = beginHold(chunk)
      if (phase === null) return void far.write(chunk)
      if (phase !== 'report') far.write(chunk)
      const [held, settle] = phase === 'fetch' ? [far, 'data'] : [near, null]
      const stop = () => {
        held.pause()
        waiting.get(phase)?.()
      }
      releases.push(() => {
        if (phase === 'report') far.write(chunk)
        held.resume()
      })
      if (settle === null) stop()
      else far.once(settle, stop)
    })
    far.on('data', (chunk) => void near.write(chunk))
  })
  const begun = new Set<Phase>()
  const beginHold = (chunk: Buffer): Phase | null => {
    const text = chunk.toString('latin1')
    const phase = PHASES.find((each) => waiting.has(each) && !begun.has(each) && STARTS[each].test(text))
    if (phase === undefined) return null
    begun.add(phase)
    return phase
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  return {
    port: address.port,
    async hold() {
      const stopped = PHASES.map((phase) => {
        const { promise, resolve } = Promise.withResolvers<void>()
        waiting.set(phase, resolve)
        return promise
      })
      await Promise.all(stopped)
    },
    release() {
      waiting = new Map()
      for (const release of releases) release()
      releases = []
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
