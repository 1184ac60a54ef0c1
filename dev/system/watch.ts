import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Tells the watchdog which processes are to end with this one, however it ends. */
export interface Watch {
  tell(change: `+${number}` | `-${number}`): void
  end(): Promise<void>
}

/** Starts the watchdog (see watchdog.ts) in a group of its own, so that a Ctrl-C does not reach it. */
export function startWatch(): Watch {
  const file = join(import.meta.dirname, 'watchdog.ts')
  const watchdog = spawn(process.execPath, [file], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  const ended = new Promise<void>((resolve) => watchdog.once('exit', () => resolve()))
  // Its pipe breaks only when someone ended it; the system then runs on without it.
  watchdog.stdin.on('error', () => {})
  return {
    tell: (change) => void watchdog.stdin.write(`${change}\n`),
    end: () => {
      watchdog.stdin.end()
      return ended
    },
  }
}
