import { createServer } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Polls until the condition is true. Throws an error with the description if the deadline passes first. */
export async function waitFor(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  deadline_ms = 45_000,
): Promise<void> {
  const end = Date.now() + deadline_ms
  while (Date.now() < end) {
    if (await isSo()) return
    await pause(20)
  }
  throw new Error(`timed out after ${deadline_ms} ms: ${what}`)
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port is free')
  return address.port
}
