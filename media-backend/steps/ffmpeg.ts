import { availableParallelism } from 'node:os'
import type { FfmpegStep } from '../../shared/operations/steps.ts'
import type { Environment } from '../environment.ts'
import { JobFailure } from '../failure.ts'
import type { Run } from '../job.ts'
import { errorText, log } from '../log.ts'
import { ffmpegArguments } from './ffmpeg-command.ts'
import { type ProcessLimits, type ProcessResult, runProcess } from './process.ts'

/**
 * Carries out one FfmpegStep in the job's folder and tells how much of it is done, 0 to 1.
 * @throws JobFailure when ffmpeg refuses the file or meets a limit; Error when it may work next time.
 */
export async function runFfmpeg(
  step: FfmpegStep,
  run: Run,
  tellDone: (share: number) => void,
): Promise<void> {
  const { output_duration_seconds: seconds } = step
  let done = 0
  const result = await runProcess('ffmpeg', ffmpegArguments(step, run.folder, run.source_url), {
    limits: processLimits(run.environment),
    folder: run.folder,
    signal: run.signal,
    onLine(line) {
      const done_seconds = outputSeconds(line)
      if (done_seconds === null || seconds === null || seconds <= 0) return
      done = Math.max(done, Math.min(1, done_seconds / seconds))
      tellDone(done)
    },
  })
  if (result.code !== 0) throw failureOf(result)
}

export function processLimits(environment: Environment): ProcessLimits {
  return {
    memory_bytes_max: environment.PROCESS_MEMORY_BYTES_MAX,
    file_bytes_max: environment.OUTPUT_BYTES_MAX,
    cpu_seconds_max: environment.JOB_SECONDS_MAX * availableParallelism(),
  }
}

/**
 * The output time in a line of ffmpeg's `-progress`, or a frame's in one of its filter `metadata`; null
 * when the line tells something else.
 */
export function outputSeconds(line: string): number | null {
  const microseconds = /^out_time_us=(\d+)$/.exec(line)?.[1]
  if (microseconds !== undefined) return Number(microseconds) / 1_000_000
  const seconds = /^frame:\d+ .*pts_time:(\d+(?:\.\d+)?)$/.exec(line)?.[1]
  return seconds === undefined ? null : Number(seconds)
}

const CRASHES: readonly NodeJS.Signals[] = ['SIGSEGV', 'SIGABRT', 'SIGFPE', 'SIGBUS', 'SIGILL']

/** Why ffmpeg ended: a limit, trouble of this machine (to be tried again), or the file. */
export function failureOf({ code, ended_by, stderr }: ProcessResult): Error {
  if (ended_by === 'SIGXFSZ' || /File too large/.test(stderr)) {
    return new JobFailure('output_too_large', 'The result would be larger than one file may be.')
  }
  // ffmpeg ends with 255 after a signal that it caught; only the kernel's CPU limit sends it one.
  if (ended_by === 'SIGXCPU' || code === 255) {
    return new JobFailure('time_limit', 'The file takes longer to process than one job may run.')
  }
  // A broken file broke ffmpeg, as it would again.
  const has_crashed = ended_by !== null && CRASHES.includes(ended_by)
  if ((ended_by !== null && !has_crashed) || /No space left on device/.test(stderr)) {
    return new Error(`ffmpeg ended by ${ended_by ?? code}: ${stderr.slice(-500)}`)
  }
  log('ffmpeg_failed', { code, ended_by, stderr: errorText(stderr.slice(-1000)) })
  return new JobFailure(
    'processing_failed',
    'The file could not be processed: it may be damaged or incomplete.',
  )
}
