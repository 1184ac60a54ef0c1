import type { MediaProbe } from '../../planning/facts.ts'
import type { FfmpegStep } from '../../planning/steps.ts'
import { ffmpegSeconds } from '../filters.ts'

/** Inputs, and a filter graph that reads them into a pad. */
export type Reading = Pick<FfmpegStep, 'inputs'> & { filter_graph: string }

type ReadAttempt = Pick<FfmpegStep, 'inputs' | 'filter_graph'> & { fallback?: never }

/** Attempts to read a video, tried in order until one outputs a frame (FfmpegStep.fallback). */
export type WithFallback<Read> = Read & { fallback?: WithFallback<Read> }

/** Attempts whose graph outputs a video frame. */
export type Source = WithFallback<Reading>

/** Appends to the graph of every attempt. */
export function continueSource({ fallback, ...source }: Source, proceed: (graph: string) => string): Source {
  return {
    ...{ ...source, filter_graph: proceed(source.filter_graph) },
    ...(fallback && { fallback: continueSource(fallback, proceed) }),
  }
}

/** Accepted delay of the first frame, which does not matter for a still image. */
const LATE_SECONDS = 0.5

/** Reads from a position. Falls back to zero if no frame can be decoded there in time. */
export function readFrom(seek_seconds: number, read: (start: number) => Reading): Source {
  return readWithFallbacks([seek_seconds], read)
}

/** Reads from the first position, with the others as fallbacks in order. */
export function readWithFallbacks<Read extends ReadAttempt>(
  seeks: readonly number[],
  read: (start: number) => Read,
): WithFallback<Read> {
  const [seek_seconds = 0, ...others] = seeks
  return seek_seconds === 0 ? read(0) : { ...read(seek_seconds), fallback: readWithFallbacks(others, read) }
}

/**
 * Returns the options that read an input from `start`; none for 0. Seeks in broadcasts use the broadcast's clock,
 * because ffmpeg 7.1 loses the start of the stream if only some tracks are used.
 */
export function seekOptions(
  { clock_start_seconds }: Pick<MediaProbe, 'clock_start_seconds'>,
  start: number,
): string[] {
  if (start === 0) return []
  const by_clock = clock_start_seconds === undefined ? [] : ['-seek_timestamp', '1']
  return ['-noaccurate_seek', ...by_clock, '-ss', ffmpegSeconds(start + (clock_start_seconds ?? 0))]
}

/** Later than the end of any video. */
const NEVER_SECONDS = 1e6

/** Returns the leading filters that drop a first frame much later than `at`, after reading from `start`. */
export function checkReading(start: number, at: number): string[] {
  return start === 0 ? [] : dropLate(at - start + LATE_SECONDS)
}

/** Returns the leading filters that drop all frames if the first one is earlier than this, so reading stops at once. */
export function dropEarly(earliest_seconds: number): string[] {
  const earliest = ffmpegSeconds(earliest_seconds)
  return [`setpts='PTS+lt(STARTT,${earliest})*${10 * NEVER_SECONDS}/TB'`, `trim=end=${NEVER_SECONDS}`]
}

/** Moves a first frame that is too late past the end, so nothing is output and reading stops. */
export function dropLate(latest_seconds: number): string[] {
  const latest = ffmpegSeconds(latest_seconds)
  return [`setpts='PTS+gt(STARTT,${latest})*${10 * NEVER_SECONDS}/TB'`, `trim=end=${NEVER_SECONDS}`]
}
