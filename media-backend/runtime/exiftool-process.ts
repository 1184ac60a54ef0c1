import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { countChildCpu } from './child-cpu.ts'
import { failWith } from './failure.ts'
import { killGroup, type ProcessLimits, plainEnvironment, spawnGuarded } from './process.ts'

/** A process that waits for commands, because exiftool takes far longer to start than to run. */
export interface ExiftoolProcess {
  pid: number | undefined
  /**
   * Runs a command; only one at a time. Relative paths do not work.
   * @returns the output; null if the command failed, or the process has exited
   * @throws JobFailure if the command printed too much. The process cannot be used any more.
   */
  run(command: readonly string[]): Promise<string | null>
  hasExited(): boolean
  /** Kills the process and waits until it has exited. */
  end(): Promise<void>
}

const TEXT_LENGTH_MAX = 1024 * 1024
/** exiftool prints this after the output of a command that is not quiet. */
const READY = '{ready}\n'

/** @param folder contains the files of all commands. */
export function startExiftool(limits: ProcessLimits, folder: string): ExiftoolProcess {
  // An empty `-config` makes exiftool ignore the machine's configuration.
  const child = spawnGuarded(
    ['exiftool', '-config', '', '-stay_open', 'True', '-@', '-'],
    limits,
    { folder },
    {
      cwd: folder,
      env: plainEnvironment(folder),
      stdio: ['pipe', 'pipe', 'ignore'],
    },
  )
  const stdin = child.stdin as Socket
  const output = readOutputs(child)
  let exited = false
  const exit = new Promise<void>((resolve) => {
    child.once('close', () => {
      exited = true
      countChildCpu()
      resolve()
    })
  })
  child.on('error', () => {})
  stdin.on('error', () => {})
  holdOpen(child, false)
  return {
    pid: child.pid,
    async run(command) {
      holdOpen(child, true)
      stdin.write([...command, '-echo3', output.endLine, '-execute', ''].join('\n'))
      return output.next().finally(() => holdOpen(child, false))
    },
    hasExited: () => exited,
    end() {
      if (!exited) killGroup(child)
      return exit
    },
  }
}

/** An idle process does not keep this one running. */
function holdOpen(child: ChildProcess, isHeld: boolean): void {
  for (const handle of [child, child.stdin as Socket, child.stdout as Socket]) {
    if (isHeld) handle.ref()
    else handle.unref()
  }
}

/** Separates the outputs of commands by a line that no file can contain. */
function readOutputs(child: ChildProcess) {
  const marker = randomUUID()
  let received = ''
  let settle: ((output: string | null | Promise<never>) => void) | undefined
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    received += text
    const end = received.lastIndexOf(marker)
    const status = /^ (\d+)\n/.exec(received.slice(end + marker.length))
    if (end >= 0 && status !== null) {
      const output = received.slice(0, end)
      received = received.slice(end + marker.length + status[0].length)
      settle?.(status[1] === '0' ? withoutReady(output) : null)
    } else if (received.length > TEXT_LENGTH_MAX) {
      received = ''
      settle?.(Promise.reject(failWith('content_too_complex')))
      killGroup(child)
    }
  })
  const isClosed = new Promise<null>((resolve) => child.once('close', () => resolve(null)))
  return {
    endLine: `${marker} \${status}`,
    next: () =>
      Promise.race([
        isClosed,
        new Promise<string | null>((resolve) => {
          settle = resolve
        }),
      ]),
  }
}

/** The previous command's READY can arrive after its output. */
function withoutReady(output: string): string {
  return output.startsWith(READY) ? output.slice(READY.length) : output
}
