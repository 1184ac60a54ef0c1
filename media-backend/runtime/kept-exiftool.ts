import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { Environment } from '../environment.ts'
import { killGroup, type ProcessLimits, plainEnvironment, spawnGuarded } from './process.ts'

/** A process that waits for commands, because exiftool takes forty times longer to start than to run. */
interface KeptProcess {
  /** Returns the output of a command, or null if it failed, printed too much, or the process has exited. */
  run(command: readonly string[]): Promise<string | null>
  end(): void
}

/** Input is hostile: whatever a file does to a process ends with the process. */
const RUNS_MAX = 100
const IDLE_MS = 60_000
const TEXT_LENGTH_MAX = 1024 * 1024
/** Much longer than any command needs. A command that exceeds it is repeated in a process of its own. */
const COMMAND_MS_MAX = 10_000
/** The CPU time applies to all commands of the process, the size to each written file. */
const LIMITS: ProcessLimits = {
  memory_bytes_max: 1024 ** 3,
  file_bytes_max: 128 * 1024 ** 2,
  cpu_seconds_max: 60,
}

interface Idle {
  process: KeptProcess
  runs: number
  timer: NodeJS.Timeout
}
const idle: Idle[] = []

/** Larger files, and machines with lower limits, need a process with limits of its own. */
export function isForKept(bytes: number, environment: Environment): boolean {
  const { PROCESS_MEMORY_BYTES_MAX, OUTPUT_BYTES_MAX, IMAGE_SECONDS_MAX } = environment
  return (
    bytes <= LIMITS.file_bytes_max / 2 &&
    PROCESS_MEMORY_BYTES_MAX >= LIMITS.memory_bytes_max &&
    OUTPUT_BYTES_MAX >= LIMITS.file_bytes_max &&
    IMAGE_SECONDS_MAX * 1000 >= COMMAND_MS_MAX
  )
}

/**
 * Runs exiftool commands in a process that other jobs have used or will use. Relative paths do not work.
 * @returns the output, or null if a command failed, took too long, or cannot be sent as lines. The caller then
 * repeats the commands in a separate process, which determines the cause.
 * @throws the reason of the signal if it aborts.
 */
export async function runKeptExiftool(
  commands: readonly (readonly string[])[],
  signal: AbortSignal,
): Promise<string | null> {
  signal.throwIfAborted()
  if (!commands.flat().every(isOneLine)) return null
  const { process, runs } = take()
  const too_late = AbortSignal.timeout(COMMAND_MS_MAX)
  const end = () => process.end()
  const aborts = AbortSignal.any([signal, too_late])
  aborts.addEventListener('abort', end, { once: true })
  try {
    const outputs: string[] = []
    for (const command of commands) {
      const output = await process.run(command)
      if (output === null) {
        process.end()
        signal.throwIfAborted()
        return null
      }
      outputs.push(output)
    }
    keep(process, runs + 1)
    return outputs.join('')
  } finally {
    aborts.removeEventListener('abort', end)
  }
}

/** Checks that exiftool reads an argument from a line as it is: it ignores comments and some white space. */
function isOneLine(argument: string): boolean {
  return /^[^\s#][^\r\n]*$/.test(argument) && !/=\s/.test(argument)
}

function take(): { process: KeptProcess; runs: number } {
  const kept = idle.pop()
  if (kept === undefined) return { process: start(), runs: 0 }
  clearTimeout(kept.timer)
  return kept
}

function keep(process: KeptProcess, runs: number): void {
  if (runs >= RUNS_MAX) {
    process.end()
    return
  }
  const timer = setTimeout(() => {
    const position = idle.findIndex((each) => each.process === process)
    if (position >= 0) idle.splice(position, 1)
    process.end()
  }, IDLE_MS)
  idle.push({ process, runs, timer: timer.unref() })
}

function start(): KeptProcess {
  // An empty `-config` makes exiftool ignore the machine's configuration.
  const command = ['exiftool', '-config', '', '-stay_open', 'True', '-@', '-']
  const folder = '/'
  const child = spawnGuarded(command, LIMITS, {
    cwd: folder,
    env: plainEnvironment(folder),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const { stdin, stdout } = child as { stdin: Writable; stdout: Readable }
  // After an exit, `lines` ends, too.
  child.on('error', () => {})
  stdin.on('error', () => {})
  const lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  // No file can contain the line that follows the output of a command.
  const marker = randomUUID()
  // An idle process does not keep this one running.
  for (const each of [child, stdin, stdout]) if ('unref' in each) (each.unref as () => void)()
  return {
    end: () => killGroup(child),
    run(command) {
      stdin.write([...command, '-echo3', `${marker} \${status}`, '-execute', ''].join('\n'))
      return readOutput(lines, marker)
    },
  }
}

/** Reads until the line with the marker and the exit status. */
async function readOutput(lines: AsyncIterator<string>, marker: string): Promise<string | null> {
  let output = ''
  while (output.length <= TEXT_LENGTH_MAX) {
    const { value, done } = await lines.next()
    if (done === true) return null
    if (value.startsWith(marker)) return value === `${marker} 0` ? output : null
    // The line that follows the marker of the previous command.
    if (value !== '{ready}') output += `${value}\n`
  }
  return null
}
