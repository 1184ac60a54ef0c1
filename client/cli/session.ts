import type { Command } from 'commander'
import type { Media } from '../node/index.ts'
import { connect } from './config.ts'
import { Screen } from './terminal.ts'

/** Time in which jobs are canceled after an interruption. */
const GRACE_MS = 10_000

/** Context of every command: the client, the output, and the Ctrl-C signal. */
export interface Session {
  media: Media
  screen: Screen
  signal: AbortSignal
  isJson: boolean
  /** Prints a result: as a line of JSON for programs, otherwise as text. */
  print(value: unknown, text: string): void
  /** Prints a note for the user, never to standard output. */
  note(text: string): void
}

export interface GlobalOptions {
  json?: boolean
  quiet?: boolean
  apiKey?: string
  apiUrl?: string
  locale?: string
}

/** Opens a session with the options of a command and its parent commands. */
export async function openSession(command: Command): Promise<Session> {
  const options = command.optsWithGlobals<GlobalOptions>()
  const isJson = options.json === true
  const screen = new Screen(process.stderr, options.quiet === true)
  return {
    media: await connect(options),
    screen,
    signal: interruptSignal(() => screen.line('Canceling. Press Ctrl-C again to stop at once.')),
    isJson,
    print: (value, text) =>
      screen.line(isJson ? JSON.stringify(value) : text, (line) => process.stdout.write(line)),
    note: (text) => {
      if (options.quiet !== true) screen.line(text)
    },
  }
}

/**
 * Returns a signal that Ctrl-C or SIGTERM aborts. The program ends at once at the second, and when it has not ended by
 * itself in time.
 */
function interruptSignal(onInterrupt: () => void): AbortSignal {
  const interrupt = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    const end = () => {
      // Unlike process.exit, a signal without a handler does not wait for a file operation that hangs.
      process.removeAllListeners(name)
      process.kill(process.pid, name)
    }
    process.on(name, () => {
      if (interrupt.signal.aborted) return end()
      onInterrupt()
      interrupt.abort()
      setTimeout(end, GRACE_MS).unref()
    })
  }
  return interrupt.signal
}
