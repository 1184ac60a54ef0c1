import type { Probe, Stream } from '../ffprobe.ts'
import { LENGTH_TAGS, STATISTICS_TAGS } from './time-tags.ts'

/** What a file's header tells of its times, in seconds of its own clock. */
export interface DeclaredTimes {
  start_seconds: number
  /** Of the whole file; null where it tells nothing. */
  duration_seconds: number | null
  tracks: readonly DeclaredTrack[]
}

interface DeclaredTrack {
  index: number
  /** Players play it: no subtitles, no data, no cover art. */
  is_played: boolean
  /** null where the header doesn't say. */
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

/** ffmpeg notes when a track ends, mkvmerge how long it is; a file that went through both says no less by the latter. */
function endOf({ start_time, duration, tags }: Stream): number | null {
  if (duration != null) return (start_time ?? 0) + duration
  const tagged_seconds = readLength(
    LENGTH_TAGS.map((name) => tags[name]).find((length) => length !== undefined),
  )
  if (tagged_seconds === null || !STATISTICS_TAGS.some((name) => name in tags)) return tagged_seconds
  return start_time == null ? null : start_time + tagged_seconds
}

/** "01:02:03.500000000" → 3723.5 */
function readLength(text = ''): number | null {
  const [, hours, minutes, seconds] = /^(\d+):(\d+):(\d+(?:\.\d+)?)$/.exec(text) ?? []
  return seconds === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

/** How long what plays is, of a file of this length: subtitles and data may go on for longer than all of it. */
export function playedSeconds({ start_seconds, tracks }: DeclaredTimes, whole_seconds: number): number {
  const ends = (is_played: boolean) => tracks.filter((track) => track.is_played === is_played)
  const last = Math.max(...ends(true).map(({ end_seconds }) => end_seconds ?? Number.POSITIVE_INFINITY))
  const seconds = last - start_seconds
  const outlasted = ends(false).some(({ end_seconds }) => (end_seconds ?? 0) > last)
  return outlasted && seconds > 0 ? Math.min(whole_seconds, seconds) : whole_seconds
}

/**
 * When these tracks end by the header: each by itself, or all of them together where it tells no more and holds no
 * others. Nothing where another track may be the one that the file's length is of.
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
