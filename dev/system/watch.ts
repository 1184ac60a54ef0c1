import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** The watchdog, which terminates the registered processes when this process exits for any reason. */
export interface Watch {
  /** Registers (`+pid`) or unregisters (`-pid`) a process. */
  update(change: `+${number}` | `-${number}`): void
  /** Stops the watchdog, which terminates all processes that are still registered. */
  stop(): Promise<void>
}

/** Starts the watchdog (watchdog.ts) in a separate process group, so Ctrl-C does not reach it. */
export function startWatch(): Watch {
  const file = join(import.meta.dirname, 'watchdog.ts')
  const watchdog = spawn(process.execPath, [file], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  const exited = new Promise<void>((resolve) => watchdog.once('exit', () => resolve()))
  // Writes fail only if something has killed the watchdog. The system then runs without it.
  watchdog.stdin.on('error', () => {})
  return {
    update: (change) => void watchdog.stdin.write(`${change}\n`),
    stop: () => {
      watchdog.stdin.end()
      return exited
    },
  }
}
