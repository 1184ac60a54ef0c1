import { createConnection, createServer, type Socket } from 'node:net'

/** A way to a port that a test can cut in the middle of a conversation and mend again. */
export interface Line {
  port: number
  /** Breaks what is under way and refuses everything new. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** Forwards a free loopback port to `target`. Put it, say, between the fleet and the edge's callbacks. */
export async function openLine(target: number): Promise<Line> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = createConnection({ port: target, host: '127.0.0.1' })
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  })
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return {
    port: address.port,
    cut: () => {
      isCut = true
      destroyAll()
    },
    mend: () => {
      isCut = false
    },
    close: () => {
      destroyAll()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
