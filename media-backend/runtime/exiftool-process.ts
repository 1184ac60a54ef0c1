import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { countChildCpu } from './child-cpu.ts'
import { failWith } from './failure.ts'
import { killGroup, type ProcessLimits, plainEnvironment, spawnGuarded } from './process.ts'

/** A process that has loaded exiftool, which takes far longer than to run it. Each request runs in a new child of it. */
export interface ExiftoolProcess {
  /**
   * Runs commands in a folder; only one request at a time.
   * @returns the output; null if a command failed, or the process has exited
   * @throws JobFailure if the commands printed too much. The process cannot be used any more.
   */
  run(commands: readonly (readonly string[])[], folder: string): Promise<string | null>
  hasExited(): boolean
  /** Kills the process and waits until it has exited. */
  end(): Promise<void>
}

const SERVER = fileURLToPath(new URL('./exiftool.pl', import.meta.url))
const TEXT_LENGTH_MAX = 1024 * 1024

/**
 * @param program the path of exiftool.
 * @param root contains the folders of all requests. A child reaches only its own.
 */
export function startExiftool(program: string, limits: ProcessLimits, root: string): ExiftoolProcess {
  // No file can contain it.
  const end_line = randomUUID()
  const child = spawnGuarded(
    ['perl', SERVER, program, end_line],
    limits,
    { folder: root, reads: [dirname(SERVER)] },
    { cwd: root, env: plainEnvironment(root), stdio: ['pipe', 'pipe', 'ignore'] },
  )
  const stdin = child.stdin as Socket
  const nextOutput = readOutputs(child, end_line)
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
    async run(commands, folder) {
      holdOpen(child, true)
      const lines = commands.flatMap((command, at) => (at === 0 ? command : ['-execute', ...command]))
      stdin.write([folder, ...lines, '', ''].join('\n'))
      return nextOutput().finally(() => holdOpen(child, false))
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

/** Separates the outputs of requests by a line that no file can contain, and the status of the child. */
function readOutputs(child: ChildProcess, end_line: string): () => Promise<string | null> {
  let received = ''
  let settle: ((output: string | null | Promise<never>) => void) | undefined
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    received += text
    const end = received.lastIndexOf(end_line)
    const status = /^ (\d+)\n$/.exec(received.slice(end + end_line.length))
    if (end >= 0 && status !== null) {
      settle?.(status[1] === '0' ? received.slice(0, end) : null)
      received = ''
    } else if (received.length > TEXT_LENGTH_MAX) {
      received = ''
      settle?.(Promise.reject(failWith('content_too_complex')))
      killGroup(child)
    }
  })
  const isClosed = new Promise<null>((resolve) => child.once('close', () => resolve(null)))
  return () =>
    Promise.race([
      isClosed,
      new Promise<string | null>((resolve) => {
        settle = resolve
      }),
    ])
}
