import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { countChildCpu } from './child-cpu.ts'
import { failWith } from './failure.ts'
import { findProgram } from './find-program.ts'
import { currentJob } from './job-context.ts'
import { type Access, HAS_SANDBOX, sandboxCommand } from './sandbox.ts'

const TEXT_LENGTH_MAX = 1024 * 1024
const ERROR_LENGTH_MAX = 8192
/** Time for a program that catches SIGXCPU to exit, in seconds. */
const HARD_CPU_SECONDS = 5

export interface ProcessLimits {
  memory_bytes_max: number
  /** By default, addresses that a program reserves and never uses count as memory. Node reserves gigabytes of them. */
  ignores_reserved?: boolean
  file_bytes_max: number
  /** null for a process that waits for work. */
  cpu_seconds_max: number | null
}

export interface ProcessOptions extends Pick<Access, 'url' | 'reads' | 'executes'> {
  limits: ProcessLimits
  folder: string
  signal: AbortSignal
  /** Called for each line of standard output, which is then not collected. */
  onLine?: (line: string) => void
  /** Called with the process ID once the program has started. */
  onStart?: (pid: number) => void
  /** Replaces `plainEnvironment`. */
  env?: NodeJS.ProcessEnv
  /** Maximum length of the collected standard output. A longer output ends the job. Defaults to one megabyte. */
  text_length_max?: number
}

export interface ProcessResult {
  /** null if the process was ended by a signal. */
  code: number | null
  ended_by: NodeJS.Signals | null
  stdout: string
  /** The last lines. */
  stderr: string
}

/**
 * Runs a program without a shell, in a separate process group, in a sandbox under kernel limits on Linux. If `signal` aborts, kills the whole group, waits for it to exit and throws the reason of the signal.
 * @throws JobFailure if the program prints more than `text_length_max`, so that no caller parses a truncated output.
 */
export async function runProcess(
  command: string,
  args: readonly string[],
  options: ProcessOptions,
): Promise<ProcessResult> {
  const { limits, folder, signal, onLine, text_length_max = TEXT_LENGTH_MAX } = options
  signal.throwIfAborted()
  const env = options.env ?? plainEnvironment(folder)
  const child = spawnGuarded([command, ...args], limits, options, {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) options.onStart?.(child.pid)
  const kill = () => killGroup(child)
  signal.addEventListener('abort', kill, { once: true })
  try {
    const result = await collect(child, text_length_max, onLine)
    signal.throwIfAborted()
    if (result.stdout.length > text_length_max) throw failWith('content_too_complex')
    return result
  } finally {
    signal.removeEventListener('abort', kill)
    // Runs even after success, because nothing that the program started may outlive it.
    killGroup(child)
    countChildCpu()
  }
}

/** Starts a program in a separate process group, in a sandbox under kernel limits on Linux. */
export function spawnGuarded(
  command: readonly string[],
  limits: ProcessLimits,
  access: Access,
  options: Pick<SpawnOptions, 'cwd' | 'env' | 'stdio'>,
): ChildProcess {
  const [program = '', ...args] = [...guards(command[0] ?? '', limits, access), ...command]
  return spawn(program, args, { ...options, detached: true })
}

async function collect(
  child: ChildProcess,
  text_length_max: number,
  onLine?: (line: string) => void,
): Promise<ProcessResult> {
  let stdout = ''
  let stderr = ''
  if (child.stdout !== null && onLine !== undefined) {
    createInterface({ input: child.stdout }).on('line', onLine)
  } else {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (stdout.length > text_length_max) return
      stdout += text
      if (stdout.length > text_length_max) killGroup(child)
    })
  }
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = lastLines(stderr + text)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, ended_by) => resolve({ code, ended_by, stdout, stderr }))
  })
}

/** Drops the first lines of a long text, so that it never begins within a line. */
function lastLines(text: string): string {
  if (text.length <= ERROR_LENGTH_MAX) return text
  const end = text.slice(-ERROR_LENGTH_MAX)
  return end.slice(end.indexOf('\n') + 1)
}

export function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The group has already exited.
  }
}

const NICE = process.platform === 'linux' ? null : findProgram('nice')

/** Wraps a command. The sandbox sets kernel limits, and nice lowers the priority of long work where it does not exist. */
function guards(program: string, limits: ProcessLimits, access: Access): string[] {
  const { memory_bytes_max, ignores_reserved = false, file_bytes_max, cpu_seconds_max } = limits
  const niceness = currentJob()?.niceness ?? 0
  if (!HAS_SANDBOX) return NICE === null || niceness === 0 ? [] : [NICE, '-n', String(niceness)]
  return [
    ...sandboxCommand(program, access),
    `${ignores_reserved ? 'data' : 'as'}=${memory_bytes_max}`,
    `fsize=${file_bytes_max}`,
    ...(cpu_seconds_max === null ? [] : [`cpu=${cpuLimit(cpu_seconds_max)}`]),
    ...(niceness === 0 ? [] : [`nice=${niceness}`]),
    '--',
  ]
}

/** The soft limit sends SIGXCPU, which identifies the cause; the hard limit sends SIGKILL. */
function cpuLimit(seconds_max: number): string {
  const soft = Math.ceil(seconds_max)
  return `${soft}:${soft + HARD_CPU_SECONDS}`
}

/**
 * Variables that locate programs, libraries and fonts. The rest of the environment contains secrets and is not
 * passed on.
 */
const INHERITED = ['PATH', 'LD_LIBRARY_PATH', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH', 'XDG_CACHE_HOME']

export function plainEnvironment(folder: string): NodeJS.ProcessEnv {
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(inherited), LANG: 'C.UTF-8', HOME: folder, TMPDIR: folder }
}
