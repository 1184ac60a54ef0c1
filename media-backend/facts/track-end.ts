/** Matroska has no length of a track but what its writer noted: ffmpeg's name for it, and mkvmerge's. */
export const LENGTH_TAGS: readonly string[] = ['DURATION', 'DURATION-eng']

/** What ffprobe tells of a track's place in time. */
interface TrackTimes {
  start_time?: number | null | undefined
  duration?: number | null | undefined
  tags: Readonly<Record<string, string>>
}

/** When a track ends by its header, in seconds of the file's clock; null where that doesn't say. */
export function trackEnd({ start_time, duration, tags }: TrackTimes): number | null {
  if (duration != null) return (start_time ?? 0) + duration
  const noted = LENGTH_TAGS.map((name) => tags[name]).find((length) => length !== undefined)
  const [, hours, minutes, seconds] = /^(\d+):(\d+):(\d+(?:\.\d+)?)$/.exec(noted ?? '') ?? []
  return seconds === undefined ? null : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}
