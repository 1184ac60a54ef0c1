import { createConnection } from 'node:net'
import { LOOPBACK } from './ports.ts'

/** Checks whether a URL responds with a 2xx status. */
export async function isResponding(url: string, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(url, { signal })
  await response.body?.cancel()
  return response.ok
}

/** Checks whether Redis responds to PING. Redis replies LOADING while it loads its data. */
export function isRedisReady(port: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: LOOPBACK, signal })
    socket.once('error', reject)
    socket.once('connect', () => socket.write('PING\r\n'))
    socket.once('data', (reply) => {
      socket.destroy()
      resolve(reply.toString() === '+PONG\r\n')
    })
  })
}
