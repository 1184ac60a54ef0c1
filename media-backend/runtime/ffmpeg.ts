import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { uniformAudioSteps, withUniformAudio } from '../../shared/ffmpeg/audio/uniform-audio.ts'
import type { FfmpegStep } from '../../shared/planning/steps.ts'
import type { Environment } from '../environment.ts'
import { failWith, JobFailure, timeLimitFailure } from './failure.ts'
import { ffmpegArguments } from './ffmpeg-command.ts'
import { fileIn } from './folder.ts'
import { longerThanDeclared } from './length.ts'
import { errorText, log } from './log.ts'
import { type ProcessLimits, type ProcessResult, runProcess } from './process.ts'
import type { Run } from './run.ts'

/** Tolerance for output lengths: tracks end at slightly different times, and frame rates are rounded. */
const LENGTH_SHARE = 1.02
const LENGTH_SECONDS = 2

/**
 * Runs one FfmpegStep in the job's folder and reports its progress.
 * @throws JobFailure if ffmpeg rejects the file or exceeds a limit; Error if a retry may succeed.
 */
export async function runFfmpeg(
  step: FfmpegStep,
  run: Run,
  reportProgress: (fraction: number) => void,
): Promise<void> {
  let done = 0
  const reportHighest = (fraction: number) => {
    done = Math.max(done, fraction)
    reportProgress(done)
  }
  try {
    return await runWithFallback(step, run, reportHighest)
  } catch (error) {
    const evens = uniformAudioSteps(step)
    if (!(error instanceof AudioFormatChange) || evens.length === 0) throw error
    for (const even of evens) {
      const is_written = existsSync(fileIn(run.folder, even.output.file))
      if (!is_written) await runOnce(even, run, () => {})
    }
  }
  await runWithFallback(withUniformAudio(step), run, reportHighest)
}

async function runWithFallback(
  step: FfmpegStep,
  run: Run,
  reportProgress: (fraction: number) => void,
): Promise<void> {
  const { fallback, ...again } = step
  const has_frames = await runOnce(step, run, reportProgress)
  if (fallback === undefined || has_frames) return
  await runWithFallback({ ...again, ...fallback }, run, reportProgress)
}

/**
 * Runs ffmpeg once.
 * @returns true if ffmpeg wrote a file, with at least one frame if it counts frames.
 */
async function runOnce(
  step: FfmpegStep,
  run: Run,
  reportProgress: (fraction: number) => void,
): Promise<boolean> {
  const { output_duration_seconds: seconds, fallback } = step
  let frames: number | null = null
  const canRetry = () => fallback !== undefined && frames === 0
  const watched = watchFfmpeg(ffmpegArguments(step, run.folder, run.source_url), run, {
    seconds_max: longestOutput(step, run),
    reportFrames(count) {
      frames = Math.max(frames ?? 0, count)
    },
    canRetry,
    reportSeconds(done_seconds) {
      // Audio without frames does not count as progress if a fallback might repeat all of it.
      if (seconds === null || seconds <= 0 || (fallback !== undefined && frames === 0)) return
      reportProgress(Math.min(1, done_seconds / seconds))
    },
  })
  const failure: unknown = await watched.then(
    () => null,
    (error: unknown) => error,
  )
  // Some formats cannot be written without at least one frame.
  if (failure !== null && !(canRetry() && isDamage(failure))) throw failure
  return failure === null && frames !== 0 && existsSync(fileIn(run.folder, step.output.file))
}

function isDamage(failure: unknown): boolean {
  return failure instanceof JobFailure && failure.error_code === 'processing_failed'
}

/**
 * Returns the longest expected output for an input of the tier's maximum length. Returns null if there is no limit.
 */
function longestOutput({ output_duration_seconds }: FfmpegStep, run: Run): number | null {
  const { ceiling, declared_seconds = 0 } = run
  if (ceiling === undefined || output_duration_seconds === null) return null
  const { max_input_seconds } = ceiling
  if (declared_seconds <= 0) return Math.max(output_duration_seconds, max_input_seconds)
  return Math.min(
    Math.max(output_duration_seconds, max_input_seconds),
    output_duration_seconds * Math.max(1, max_input_seconds / declared_seconds),
  )
}

interface Watch {
  /** Maximum output length. A longer output means that the input exceeds its length limit. */
  seconds_max: number | null
  reportSeconds(seconds: number): void
  /** Receives the number of frames written or read. Not called for runs without video. */
  reportFrames?(count: number): void
  /** Returns true if a fallback will follow a failure, which is then not logged. */
  canRetry?(): boolean
}

/**
 * Runs ffmpeg with arguments that include PROGRESS, and reports the seconds of output.
 * @throws JobFailure if ffmpeg rejects the file or exceeds a limit; Error if a retry may succeed.
 */
export async function watchFfmpeg(
  args: readonly string[],
  run: Run,
  { seconds_max, reportSeconds, reportFrames, canRetry }: Watch,
): Promise<ProcessResult> {
  const { ceiling } = run
  const bound = seconds_max === null ? Number.POSITIVE_INFINITY : seconds_max * LENGTH_SHARE + LENGTH_SECONDS
  const too_long = new AbortController()
  const result = await runProcess('ffmpeg', args, {
    limits: processLimits(run.environment),
    folder: run.folder,
    url: run.source_url,
    signal: AbortSignal.any([run.signal, too_long.signal]),
    onLine(line) {
      const frames = frameCount(line)
      if (frames !== null) reportFrames?.(frames)
      const seconds = outputSeconds(line)
      if (seconds === null) return
      if (ceiling !== undefined && seconds > bound) too_long.abort(longerThanDeclared(ceiling))
      else reportSeconds(seconds)
    },
  })
  if (result.code !== 0) throw failureOf(result, canRetry?.())
  return result
}

export function processLimits(environment: Environment): ProcessLimits {
  return {
    memory_bytes_max: environment.PROCESS_MEMORY_BYTES_MAX,
    file_bytes_max: environment.OUTPUT_BYTES_MAX,
    cpu_seconds_max: environment.JOB_SECONDS_MAX * availableParallelism(),
  }
}

/**
 * Parses the output time from a line of `-progress`, or a frame's time from the `metadata` filter. Returns null for
 * other lines.
 */
export function outputSeconds(line: string): number | null {
  const microseconds = /^out_time_us=(\d+)$/.exec(line)?.[1]
  if (microseconds !== undefined) return Number(microseconds) / 1_000_000
  const seconds = /^frame:\d+ .*pts_time:(\d+(?:\.\d+)?)$/.exec(line)?.[1]
  return seconds === undefined ? null : Number(seconds)
}

/** Parses the number of frames from the same lines. The filter counts from 0. */
export function frameCount(line: string): number | null {
  const written = /^frame=\s*(\d+)$/.exec(line)?.[1]
  if (written !== undefined) return Number(written)
  const seen = /^frame:(\d+) /.exec(line)?.[1]
  return seen === undefined ? null : Number(seen) + 1
}

/**
 * Thrown if the format of an audio track that should be uniform (shared/ffmpeg/audio/uniform-audio.ts) changes
 * midway. Tracks in the input are then converted, so only added tracks fail the job with this error.
 */
export class AudioFormatChange extends JobFailure {
  constructor() {
    super({ name: 'audio_format_change', facts: {} })
  }
}

/**
 * Returns the messages from ffmpeg itself. Text from the file, such as its title, is indented and therefore
 * omitted.
 */
function ownLines(stderr: string): string[] {
  return stderr.split('\n').filter((line) => !line.startsWith(' '))
}

const CRASHES: readonly NodeJS.Signals[] = ['SIGSEGV', 'SIGABRT', 'SIGFPE', 'SIGBUS', 'SIGILL']

/** Exit code of a wrapper if SIGXCPU ended the program: 128 plus the signal number. */
const ENDED_BY_XCPU = 152
/** Exit code of ffmpeg after the fourth signal; the kernel sends SIGXCPU every second. */
const ENDED_BY_MANY_SIGNALS = 123
/** Errors from the disk or the range server. Newer versions of ffmpeg also exit with 152 after these errors. */
const MACHINE_TROUBLE = /No space left on device|Connection reset by peer/

/** ffmpeg 7.1 also exits with 255 if a container rejects a packet, and a retry would not change that. */
const REFUSED_PACKET = /(to the muxer:|error code: -1) \(?Operation not permitted/

/**
 * Classifies a failed run: a limit, the machine or the file is at fault. Machine errors are retried; file errors
 * are logged.
 */
export function failureOf({ code, ended_by, stderr }: ProcessResult, can_retry = false): Error {
  if (ended_by === 'SIGXFSZ' || /File too large/.test(stderr)) {
    return failWith('output_too_large')
  }
  const is_trouble = ownLines(stderr).some((line) => MACHINE_TROUBLE.test(line))
  if (!is_trouble && (ended_by === 'SIGXCPU' || code === ENDED_BY_XCPU || code === ENDED_BY_MANY_SIGNALS)) {
    return timeLimitFailure()
  }
  // A crash is caused by the file and would recur. Exit code 255 means that ffmpeg caught a signal, such as SIGTERM
  // from the machine. The CPU limit is not the cause: even a program on all cores reaches the job's time limit
  // first.
  const was_stopped = code === 255 && !REFUSED_PACKET.test(stderr)
  const has_crashed = ended_by !== null && CRASHES.includes(ended_by)
  if (was_stopped || (ended_by !== null && !has_crashed) || is_trouble) {
    return new Error(`ffmpeg ended by ${ended_by ?? code}: ${stderr.slice(-500)}`)
  }
  if (/Changing audio frame properties on the fly/.test(stderr)) return new AudioFormatChange()
  if (!can_retry) log('ffmpeg_failed', { code, ended_by, stderr: errorText(stderr.slice(-1000)) })
  return failWith('media_failed')
}
