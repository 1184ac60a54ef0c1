import type { Probe, Stream } from '../ffprobe.ts'
import { LENGTH_TAGS, STATISTICS_TAGS } from './time-tags.ts'

/** The times that a file's header declares, on the file's clock in seconds. */
export interface DeclaredTimes {
  start_seconds: number
  /** Duration of the whole file; null if the header does not declare it. */
  duration_seconds: number | null
  tracks: readonly DeclaredTrack[]
}

interface DeclaredTrack {
  index: number
  /** True for played audio and video; false for subtitles, data and cover art. */
  is_played: boolean
  /** Null if the header does not declare it. */
  end_seconds: number | null
}

/** The time at which the last of these tracks ends, on the file's clock in seconds. */
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
 * Returns the time at which a track ends. The duration tag holds that end time if ffmpeg wrote it, and the duration if
 * mkvmerge did. If both programs wrote to the file, the tag is read as a duration.
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

/** Returns how long the played media in a file of this length lasts. Subtitles and data may last longer. */
export function playedSeconds({ start_seconds, tracks }: DeclaredTimes, whole_seconds: number): number {
  const ends = (is_played: boolean) => tracks.filter((track) => track.is_played === is_played)
  const last = Math.max(...ends(true).map(({ end_seconds }) => end_seconds ?? Number.POSITIVE_INFINITY))
  const seconds = last - start_seconds
  const outlasted = ends(false).some(({ end_seconds }) => (end_seconds ?? 0) > last)
  return outlasted && seconds > 0 ? Math.min(whole_seconds, seconds) : whole_seconds
}

/**
 * Returns the declared ends of these tracks: one per track, or a single one for all if only the file declares a
 * duration and it has no other tracks. Returns an empty list if the duration might be that of another track.
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
