import { hiddenLead } from './compare-frames.ts'
import type { Expected } from './jobs.ts'
import type { AudioReading, Reading, VideoReading } from './read-file.ts'

export interface Measured {
  source: Reading
  result: Reading
  expected: Expected
  /** The video packets were copied from the source. */
  is_copied: boolean
}

/** About twice the length of an AAC or MP3 frame at 44.1 kHz, because encoders start and end with whole frames. */
const AUDIO_TOLERANCE_SECONDS = 0.1
/** Matroska rounds timestamps to 1 ms, and MPEG-TS rounds them to 1/90000 s. */
const ROUNDING_SECONDS = 0.003
/** A copy ends with the last packet in decoding order, but B-frames before that packet can be displayed later. */
const LATE_FRAMES_MAX = 5
/** Tags in which muxers describe themselves and the stream format. */
const TECHNICAL_TAGS =
  /^(major_brand|minor_version|compatible_brands|handler_name|vendor_id|encoder|language|duration|alpha_mode|timecode)$/i

/** Checks a result's container, tags, size, and length. Returns a description of each fault. */
export function checkResult(job: Measured): string[] {
  return [...checkContainer(job), ...checkTags(job), ...checkVideo(job), ...checkAudio(job)]
}

function checkContainer({ result, expected }: Measured): string[] {
  const known = expected.containers.some((name) => result.container.split(',').includes(name))
  return [
    ...(known ? [] : [`container is ${result.container}`]),
    ...(result.is_index_first === false ? ['index is not at the start of the file'] : []),
  ]
}

function checkTags({ result, expected }: Measured): string[] {
  if (expected.is_stripped !== true) return []
  const kept = result.tags.filter((name) => !TECHNICAL_TAGS.test(name))
  return kept.length === 0 ? [] : [`tags are not stripped: ${kept.join(', ')}`]
}

function checkVideo(job: Measured): string[] {
  const { source, result, expected, is_copied } = job
  if (source.video === null) return []
  if (expected.video === 'none') return result.video === null ? [] : ['unexpected video']
  if (result.video === null) return ['video is missing']
  return [
    ...checkSize(result.video, is_copied ? source.video : expected.size, is_copied),
    ...(is_copied || expected.video === 'still' ? [] : checkPlayable(result.video)),
    ...(expected.video === 'still' ? [] : checkLength(job, source.video, result.video)),
  ]
}

function checkSize(
  video: VideoReading,
  size: { width: number; height: number },
  is_copied: boolean,
): string[] {
  // 4:2:0 requires an even width and height, and a sample aspect ratio rarely results in whole pixels.
  const tolerance = is_copied ? 0 : 2
  const difference = Math.max(Math.abs(video.width - size.width), Math.abs(video.height - size.height))
  return difference <= tolerance
    ? []
    : [`size is ${video.width} x ${video.height}, expected ${size.width} x ${size.height}`]
}

/** Checks that every browser can play the video: 8-bit 4:2:0, square pixels, and no rotation. */
function checkPlayable(video: VideoReading): string[] {
  return [
    ...(['yuv420p', 'bgra', 'pal8'].includes(video.pixel_format)
      ? []
      : [`pixel format is ${video.pixel_format}`]),
    ...(video.has_square_pixels ? [] : ['pixels are not square']),
    ...(video.is_rotated ? ['rotation is left to the player'] : []),
  ]
}

function checkLength(job: Measured, source: VideoReading, result: VideoReading): string[] {
  const { expected, is_copied } = job
  const lead = expected.start_seconds + hiddenLead(job.source, job.result, is_copied)
  const seconds = (expected.seconds ?? source.end_seconds - lead) / expected.factor
  const source_frame = 1 / (source.frames_per_second * expected.factor)
  const frame = Math.max(source_frame, 1 / result.frames_per_second)
  const difference = result.end_seconds - seconds
  const late = is_copied && expected.seconds !== null ? LATE_FRAMES_MAX * source_frame : frame
  // If frame intervals vary or the last frame's duration is unknown, the last frame stays visible until the file
  // ends.
  const extension =
    source.is_variable_rate || !source.has_known_end
      ? Math.max(0, (job.source.audio?.end_seconds ?? 0) - source.end_seconds)
      : 0
  // If the last frame's duration is not declared, it can be as long as the longest interval before it.
  const unknown = source.has_known_end ? 0 : longestInterval(source.times) / expected.factor
  const is_correct =
    difference < late + unknown + extension / expected.factor + ROUNDING_SECONDS &&
    difference > -(frame + unknown + ROUNDING_SECONDS)
  return is_correct
    ? []
    : [`video ends at ${result.end_seconds.toFixed(3)} s, expected ${seconds.toFixed(3)} s`]
}

function longestInterval(times: readonly number[]): number {
  return times.reduce((longest, time, index) => Math.max(longest, time - (times[index - 1] ?? time)), 0)
}

function checkAudio({ source, result, expected, is_copied }: Measured): string[] {
  const has_audio = expected.audio === 'added' || (expected.audio !== 'none' && source.audio !== null)
  if (has_audio !== (result.audio !== null)) return [has_audio ? 'audio is missing' : 'unexpected audio']
  if (source.audio === null || result.audio === null || expected.audio !== 'same') return []
  const late = is_copied && source.video !== null ? LATE_FRAMES_MAX / source.video.frames_per_second : 0
  return checkAudioEnd(source.audio, result.audio, { expected, video: source.video, late })
}

/**
 * Checks that the audio ends where the source audio or the trimmed part ends. Audio that is longer than the video
 * can end with the video.
 */
function checkAudioEnd(
  source: AudioReading,
  result: AudioReading,
  { expected, video, late }: { expected: Expected; video: VideoReading | null; late: number },
): string[] {
  const { start_seconds, seconds, factor } = expected
  const trimmed_end = seconds === null ? Number.POSITIVE_INFINITY : start_seconds + seconds
  const end = Math.min(source.end_seconds, trimmed_end)
  const expected_end = Math.max(0, end - start_seconds) / factor
  const video_end = (Math.min(trimmed_end, video?.end_seconds ?? end) - start_seconds) / factor
  const is_correct =
    result.end_seconds < Math.max(expected_end, video_end) + late + AUDIO_TOLERANCE_SECONDS &&
    result.end_seconds > Math.min(expected_end, video_end) - AUDIO_TOLERANCE_SECONDS
  return is_correct
    ? []
    : [`audio ends at ${result.end_seconds.toFixed(3)} s, expected ${expected_end.toFixed(3)} s`]
}
