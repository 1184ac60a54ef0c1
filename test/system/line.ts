import { createConnection, createServer, type Socket } from 'node:net'

/** A TCP proxy that a test can interrupt and restore. */
export interface Line {
  port: number
  /** Closes all connections and refuses new ones. */
  cut(): void
  restore(): void
  close(): Promise<void>
}

/** Keeps both sockets in the set while they are open, and closes each with the other. */
export function joinSockets(sockets: Set<Socket>, near: Socket, far: Socket): void {
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
  }
}

/** Opens a free loopback port and forwards it to a port, for example from the fleet to the edge. */
export async function openLine(target: number | (() => number)): Promise<Line> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return near.destroy()
    const far = createConnection({
      port: typeof target === 'number' ? target : target(),
      host: '127.0.0.1',
    })
    joinSockets(sockets, near, far)
    near.pipe(far)
    far.pipe(near)
  })
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  return {
    port: address.port,
    cut: () => {
      isCut = true
      destroyAll()
    },
    restore: () => {
      isCut = false
    },
    close: () => {
      destroyAll()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
