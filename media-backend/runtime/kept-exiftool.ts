import { readFileSync } from 'node:fs'
import type { Environment } from '../environment.ts'
import { type ExiftoolProcess, startExiftool } from './exiftool-process.ts'
import { currentJob } from './job-context.ts'
import type { ProcessLimits } from './process.ts'

/** Input is hostile: whatever a file does to a process ends with the process. */
const RUNS_MAX = 100
const IDLE_MS = 60_000
const IDLE_PROCESSES_MAX = 4
/** Memory that an idle process may hold, in pages of 4 KiB. */
const IDLE_PAGES_MAX = 16_384
/** Much longer than any command needs. A command that exceeds it is repeated in a process of its own. */
const COMMAND_MS_MAX = 10_000
/** Larger files take longer to copy than exiftool to start. */
const READ_BYTES_MAX = 8 * 1024 ** 2
/** The CPU time applies to all commands of the process, the size to each written file. */
const LIMITS: ProcessLimits = {
  memory_bytes_max: 512 * 1024 ** 2,
  file_bytes_max: 3 * READ_BYTES_MAX,
  cpu_seconds_max: 60,
}

interface Idle {
  process: ExiftoolProcess
  /** A process serves the jobs of one account, so no file can change what it does with those of another. */
  owner: string
  runs: number
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
 * Runs exiftool commands in a process that other jobs of the same account have used or will use. Relative paths do not work.
 * @returns the output, or null if a command failed, took too long, or cannot be sent as lines. The caller then
 * repeats the commands in a separate process, which determines the cause.
 * @throws the reason of the signal if it aborts; JobFailure if a command prints too much.
 */
export async function runKeptExiftool(
  commands: readonly (readonly string[])[],
  work_directory: string,
  signal: AbortSignal,
): Promise<string | null> {
  signal.throwIfAborted()
  if (!commands.flat().every(isOneLine)) return null
  const job = currentJob()
  const owner = JSON.stringify([work_directory, job?.account_id ?? job?.job_id])
  const { process, runs } = take(owner, work_directory)
  const end = () => void process.end()
  const aborts = AbortSignal.any([signal, AbortSignal.timeout(COMMAND_MS_MAX)])
  aborts.addEventListener('abort', end, { once: true })
  try {
    let outputs = ''
    for (const command of commands) {
      const output = await process.run(command)
      if (output === null) {
        await process.end()
        signal.throwIfAborted()
        return null
      }
      outputs += output
    }
    keep({ process, owner, runs: runs + 1 })
    return outputs
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

function take(owner: string, work_directory: string): Pick<Idle, 'process' | 'runs'> {
  const position = idle.findIndex((each) => each.owner === owner)
  const [kept] = position < 0 ? [] : idle.splice(position, 1)
  if (kept === undefined) return { process: startExiftool(LIMITS, work_directory), runs: 0 }
  clearTimeout(kept.timer)
  return kept.process.hasExited() ? take(owner, work_directory) : kept
}

function keep({ process, owner, runs }: Omit<Idle, 'timer'>): void {
  if (runs >= RUNS_MAX || holdsMuch(process)) {
    void process.end()
    return
  }
  const timer = setTimeout(() => endIdle(process), IDLE_MS)
  idle.push({ process, owner, runs, timer: timer.unref() })
  const [oldest] = idle
  if (idle.length > IDLE_PROCESSES_MAX && oldest !== undefined) endIdle(oldest.process)
}

function endIdle(process: ExiftoolProcess): void {
  const position = idle.findIndex((each) => each.process === process)
  const [ended] = position < 0 ? [] : idle.splice(position, 1)
  clearTimeout(ended?.timer)
  void process.end()
}

/** A process never returns the memory that its largest file needed. */
function holdsMuch({ pid }: ExiftoolProcess): boolean {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) > IDLE_PAGES_MAX
  } catch {
    // Not on Linux, or the process has exited.
    return false
  }
}
