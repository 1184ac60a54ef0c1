import { createConnection } from 'node:net'
import { LOOPBACK } from './ports.ts'

/** True when the address answers with a status of success. */
export async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  const response = await fetch(url, { signal })
  await response.body?.cancel()
  return response.ok
}

/** True when Redis answers a PING; while it loads its file it answers LOADING instead. */
export function pingRedis(port: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ port, host: LOOPBACK, signal })
    socket.once('error', reject)
    socket.once('connect', () => socket.write('PING\r\n'))
    socket.once('data', (answer) => {
      socket.destroy()
      resolve(answer.toString() === '+PONG\r\n')
    })
  })
}
