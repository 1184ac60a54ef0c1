import type { MediaProbe } from '../../planning/facts.ts'
import type { FfmpegStep } from '../../planning/steps.ts'
import { ffmpegSeconds } from '../filters.ts'

/** Inputs, and a graph from them to a pad. */
export type Reading = Pick<FfmpegStep, 'inputs'> & { filter_graph: string }

type ReadAttempt = Pick<FfmpegStep, 'inputs' | 'filter_graph'> & { fallback?: never }

/** Ways to read the video, one after the other until one shows a picture (FfmpegStep, otherwise). */
export type WithFallback<Read> = Read & { fallback?: WithFallback<Read> }

/** What ends in a picture. */
export type Source = WithFallback<Reading>

/** The same with its graph continued. */
export function continueSource({ fallback, ...source }: Source, proceed: (graph: string) => string): Source {
  return {
    ...{ ...source, filter_graph: proceed(source.filter_graph) },
    ...(fallback && { fallback: continueSource(fallback, proceed) }),
  }
}

/** So much later than it should the first frame may come: for a picture that does not matter. */
const LATE_SECONDS = 0.5

/** Reading starts at `seek_seconds`, and where nothing can be decoded there in time, at nought. */
export function readFrom(seek_seconds: number, read: (start: number) => Reading): Source {
  return readWithFallbacks([seek_seconds], read)
}

/** The same from several places, one after the other. */
export function readWithFallbacks<Read extends ReadAttempt>(
  seeks: readonly number[],
  read: (start: number) => Read,
): WithFallback<Read> {
  const [seek_seconds = 0, ...others] = seeks
  return seek_seconds === 0 ? read(0) : { ...read(seek_seconds), fallback: readWithFallbacks(others, read) }
}

/**
 * The options of an input that is read from `start` on; from 0 there is no seek at all. A broadcast is asked by
 * its own clock: ffmpeg 7.1 otherwise loses the start of that clock where only some of the tracks are used.
 */
export function seekOptions(
  { clock_start_seconds }: Pick<MediaProbe, 'clock_start_seconds'>,
  start: number,
): string[] {
  if (start === 0) return []
  const by_clock = clock_start_seconds === undefined ? [] : ['-seek_timestamp', '1']
  return ['-noaccurate_seek', ...by_clock, '-ss', ffmpegSeconds(start + (clock_start_seconds ?? 0))]
}

/** Later than any video lasts. */
const NEVER_SECONDS = 1e6

/** What comes before all other filters when reading started here, and the frame at a moment is wanted. */
export function checkReading(start: number, at: number): string[] {
  return start === 0 ? [] : dropLate(at - start + LATE_SECONDS)
}

/** A first frame that is later is put where the end is: so nothing is shown, and nothing more is read. */
export function dropLate(latest_seconds: number): string[] {
  const latest = ffmpegSeconds(latest_seconds)
  return [`setpts='PTS+gt(STARTT,${latest})*${10 * NEVER_SECONDS}/TB'`, `trim=end=${NEVER_SECONDS}`]
}
