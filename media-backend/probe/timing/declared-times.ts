import type { Probe, Stream } from '../ffprobe.ts'
import { LENGTH_TAGS, STATISTICS_TAGS } from './time-tags.ts'

/** The times that a file's header declares, in seconds of the file's clock. */
export interface DeclaredTimes {
  start_seconds: number
  /** Of the whole file; null if the header does not declare it. */
  duration_seconds: number | null
  tracks: readonly DeclaredTrack[]
}

interface DeclaredTrack {
  index: number
  /** Played media: no subtitles, data or cover art. */
  is_played: boolean
  /** null if the header does not declare it. */
  end_seconds: number | null
}

/** When the last of these tracks ends, in seconds of the file's clock. */
export interface TrackEnd {
  tracks: readonly number[]
  seconds: number
}

export function collectDeclaredTimes({ format, streams }: Probe): DeclaredTimes {
  return {
    start_seconds: format.start_time ?? 0,
    duration_seconds: format.duration ?? null,
    tracks: streams.map((stream) => ({
      index: stream.index,
      is_played: isPlayed(stream),
      end_seconds: endOf(stream),
    })),
  }
}

export function isPlayed({ codec_type, disposition }: Pick<Stream, 'codec_type' | 'disposition'>): boolean {
  return codec_type === 'audio' || (codec_type === 'video' && disposition.attached_pic !== 1)
}

/**
 * Returns when a track ends. ffmpeg tags the end of a track, mkvmerge its length; if both wrote the file, the
 * reading as a length still holds.
 */
function endOf({ start_time, duration, tags }: Stream): number | null {
  if (duration != null) return (start_time ?? 0) + duration
  const tagged_seconds = readLength(
    LENGTH_TAGS.map((name) => tags[name]).find((length) => length !== undefined),
  )
  if (tagged_seconds === null || !STATISTICS_TAGS.some((name) => name in tags)) return tagged_seconds
  return start_time == null ? null : start_time + tagged_seconds
}

/** Parses "01:02:03.500000000" as 3723.5. */
function readLength(text = ''): number | null {
  const [, hours, minutes, seconds] = /^(\d+):(\d+):(\d+(?:\.\d+)?)$/.exec(text) ?? []
  return seconds === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

/** Returns how long the played media last in a file of this length: subtitles and data may last longer. */
export function playedSeconds({ start_seconds, tracks }: DeclaredTimes, whole_seconds: number): number {
  const ends = (is_played: boolean) => tracks.filter((track) => track.is_played === is_played)
  const last = Math.max(...ends(true).map(({ end_seconds }) => end_seconds ?? Number.POSITIVE_INFINITY))
  const seconds = last - start_seconds
  const outlasted = ends(false).some(({ end_seconds }) => (end_seconds ?? 0) > last)
  return outlasted && seconds > 0 ? Math.min(whole_seconds, seconds) : whole_seconds
}

/**
 * Returns the declared ends of these tracks: one for each, or one for all if only the file declares a length
 * and has no other tracks. Empty if the length may be that of another track.
 */
export function endsOf(
  { start_seconds, duration_seconds, tracks }: DeclaredTimes,
  indices: readonly number[],
): TrackEnd[] {
  const ends = tracks.flatMap(({ index, end_seconds }) =>
    indices.includes(index) && end_seconds !== null ? [{ tracks: [index], seconds: end_seconds }] : [],
  )
  if (ends.length === indices.length) return ends
  const is_all = tracks.every(({ index }) => indices.includes(index))
  if (!is_all || duration_seconds === null) return []
  return [{ tracks: indices, seconds: Math.max(0, start_seconds) + duration_seconds }]
}
