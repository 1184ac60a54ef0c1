import type { Environment } from '../environment.ts'
import { type ExiftoolProcess, startExiftool } from './exiftool-process.ts'
import { findProgram } from './find-program.ts'
import type { ProcessLimits } from './process.ts'

const IDLE_MS = 60_000
const IDLE_PROCESSES_MAX = 4
/** Much longer than any command needs. A command that exceeds it is repeated in a process of its own. */
const COMMAND_MS_MAX = 10_000
/** Larger files take longer to copy than exiftool to start. */
const READ_BYTES_MAX = 8 * 1024 ** 2
/** They apply to each child; the size to each written file. */
const LIMITS: ProcessLimits = {
  memory_bytes_max: 512 * 1024 ** 2,
  file_bytes_max: 3 * READ_BYTES_MAX,
  cpu_seconds_max: 60,
}

interface Idle {
  process: ExiftoolProcess
  root: string
  timer: NodeJS.Timeout
}
const idle: Idle[] = []

/** Larger files, and machines with lower limits, need a process with limits of its own. */
export function isForKept(bytes: number, environment: Environment): boolean {
  const { PROCESS_MEMORY_BYTES_MAX, OUTPUT_BYTES_MAX, IMAGE_SECONDS_MAX } = environment
  return (
    bytes <= READ_BYTES_MAX &&
    PROCESS_MEMORY_BYTES_MAX >= LIMITS.memory_bytes_max &&
    OUTPUT_BYTES_MAX >= LIMITS.file_bytes_max &&
    IMAGE_SECONDS_MAX * 1000 >= COMMAND_MS_MAX
  )
}

/**
 * Runs exiftool commands in a folder, in a child of a process that has exiftool loaded.
 * @param commands each of them is quiet (-q).
 * @param root contains the folder.
 * @returns the output, or null if a command failed, took too long, or cannot be sent as lines. The caller then
 * repeats the commands in a separate process, which determines the cause.
 * @throws the reason of the signal if it aborts; JobFailure if a command prints too much.
 */
export async function runKeptExiftool(
  commands: readonly (readonly string[])[],
  { folder, root, signal }: { folder: string; root: string; signal: AbortSignal },
): Promise<string | null> {
  signal.throwIfAborted()
  const program = findProgram('exiftool')
  if (program === null || !commands.flat().every(isOneLine)) return null
  const process = take(root) ?? startExiftool(program, LIMITS, root)
  const end = () => void process.end()
  const aborts = AbortSignal.any([signal, AbortSignal.timeout(COMMAND_MS_MAX)])
  aborts.addEventListener('abort', end, { once: true })
  try {
    const output = await process.run(commands, folder)
    signal.throwIfAborted()
    if (!process.hasExited()) keep(process, root)
    return output
  } finally {
    aborts.removeEventListener('abort', end)
  }
}

/** Ends the processes that wait for a command. */
export async function endKeptExiftool(): Promise<void> {
  await Promise.all(
    idle.splice(0).map(({ process, timer }) => {
      clearTimeout(timer)
      return process.end()
    }),
  )
}

/** Checks that exiftool reads an argument from a line as it is: it ignores comments and some white space. */
function isOneLine(argument: string): boolean {
  return /^[^\s#][^\r\n]*$/.test(argument) && !/=\s/.test(argument)
}

function take(root: string): ExiftoolProcess | undefined {
  const position = idle.findLastIndex((each) => each.root === root)
  const [kept] = position < 0 ? [] : idle.splice(position, 1)
  if (kept === undefined) return undefined
  clearTimeout(kept.timer)
  return kept.process.hasExited() ? take(root) : kept.process
}

function keep(process: ExiftoolProcess, root: string): void {
  const timer = setTimeout(() => endIdle(process), IDLE_MS)
  idle.push({ process, root, timer: timer.unref() })
  const [oldest] = idle
  if (idle.length > IDLE_PROCESSES_MAX && oldest !== undefined) endIdle(oldest.process)
}

function endIdle(process: ExiftoolProcess): void {
  const position = idle.findIndex((each) => each.process === process)
  const [ended] = position < 0 ? [] : idle.splice(position, 1)
  clearTimeout(ended?.timer)
  void process.end()
}
