import { failWith, type JobFailure } from './failure.ts'
import { errorText, log } from './log.ts'
import { type ProcessLimits, type ProcessResult, plainEnvironment, runProcess } from './process.ts'
import type { Run } from './run.ts'
import { outOfTime } from './sharp.ts'

interface ProgramLimits extends Pick<ProcessLimits, 'ignores_reserved'> {
  memory_bytes_max: number
  /** Size limit of each written file. */
  file_bytes_max: number
  cpu_seconds_max: number
  /** Environment variables of the program. */
  variables?: Readonly<Record<string, string>>
}

/**
 * Runs a program that reads an image, such as exiftool or a decoder of formats that sharp does not read. If a file makes the
 * program exceed a limit, the job is not retried.
 * @throws JobFailure if the program exceeds a limit; Error if the machine is at fault.
 */
export async function runImageProgram(
  command: string,
  args: readonly string[],
  run: Run,
  limits: ProgramLimits,
): Promise<Pick<ProcessResult, 'code' | 'stdout' | 'stderr'>> {
  const { PROCESS_MEMORY_BYTES_MAX, OUTPUT_BYTES_MAX, IMAGE_SECONDS_MAX } = run.environment
  const too_late = AbortSignal.timeout(IMAGE_SECONDS_MAX * 1000)
  const { code, ended_by, stdout, stderr } = await runProcess(command, args, {
    limits: {
      ...limits,
      memory_bytes_max: Math.min(PROCESS_MEMORY_BYTES_MAX, limits.memory_bytes_max),
      file_bytes_max: Math.min(OUTPUT_BYTES_MAX, limits.file_bytes_max),
      cpu_seconds_max: Math.min(IMAGE_SECONDS_MAX, limits.cpu_seconds_max),
    },
    folder: run.folder,
    env: { ...plainEnvironment(run.folder), ...limits.variables },
    signal: AbortSignal.any([run.signal, too_late]),
  }).catch((error: unknown) => {
    if (too_late.aborted && !run.signal.aborted) throw outOfTime()
    throw error
  })
  if (code === 0) return { code, stdout, stderr }
  log('image_program_failed', { command, code, ended_by, stderr: errorText(stderr.slice(-1000)) })
  if (ended_by === 'SIGXCPU') throw outOfTime()
  if (/No space left/i.test(stderr)) throw new Error(`${command}: ${errorText(stderr)}`)
  if (ended_by === 'SIGXFSZ' || TOO_LARGE.test(stderr)) throw tooLarge()
  if (ended_by !== null && !CRASHES.has(ended_by)) throw new Error(`${command} was killed by ${ended_by}`)
  return { code, stdout, stderr }
}

/** Messages of programs, Node among them, that reach a limit of memory or file size. */
export const TOO_LARGE =
  /out of memory|bad_alloc|cannot allocate|failed to allocate|buffer allocation failed|EFBIG/i

/** Signals that indicate a crash. A file that crashes a program does so every time. */
export const CRASHES: ReadonlySet<NodeJS.Signals> = new Set([
  'SIGSEGV',
  'SIGABRT',
  'SIGFPE',
  'SIGBUS',
  'SIGILL',
])

export function tooLarge(): JobFailure {
  return failWith('image_needs_memory')
}
