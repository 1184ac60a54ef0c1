import { hiddenLead } from './compare-frames.ts'
import type { Expected } from './jobs.ts'
import type { AudioReading, Reading, VideoReading } from './read-file.ts'

export interface Measured {
  source: Reading
  result: Reading
  expected: Expected
  /** The video's packets are the source's. */
  is_copied: boolean
}

/** An audio frame of AAC or MP3 at 44.1 kHz, twice: encoders begin and end in whole frames. */
const AUDIO_TOLERANCE_SECONDS = 0.1
/** Times are rounded to a millisecond by Matroska, and to 1/90000 s by broadcasts. */
const ROUNDING_SECONDS = 0.003
/** A copy ends with the last packet in the order of decoding: B-frames before it may be shown later. */
const LATE_FRAMES_MAX = 5
/** What muxers say of themselves and of how a stream is packed. */
const TECHNICAL_TAGS =
  /^(major_brand|minor_version|compatible_brands|handler_name|vendor_id|encoder|language|duration|alpha_mode|timecode)$/i

/** Each fault as a sentence; none where the result is right. Frames and audio are compared elsewhere. */
export function checkResult(job: Measured): string[] {
  return [...checkContainer(job), ...checkTags(job), ...checkVideo(job), ...checkAudio(job)]
}

function checkContainer({ result, expected }: Measured): string[] {
  const known = expected.containers.some((name) => result.container.split(',').includes(name))
  return [
    ...(known ? [] : [`the container is ${result.container}`]),
    ...(result.is_index_first === false ? ['the index is not first'] : []),
  ]
}

function checkTags({ result, expected }: Measured): string[] {
  if (expected.is_stripped !== true) return []
  const left = result.tags.filter((name) => !TECHNICAL_TAGS.test(name))
  return left.length === 0 ? [] : [`it still has ${left.join(', ')}`]
}

function checkVideo(job: Measured): string[] {
  const { source, result, expected, is_copied } = job
  if (source.video === null) return []
  if (expected.video === 'none') return result.video === null ? [] : ['it has video']
  if (result.video === null) return ['it has no video']
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
  // 4:2:0 encodes even sizes, and a sample aspect ratio seldom gives whole pixels.
  const tolerance = is_copied ? 0 : 2
  const away = Math.max(Math.abs(video.width - size.width), Math.abs(video.height - size.height))
  return away <= tolerance
    ? []
    : [`it is ${video.width} x ${video.height}, not ${size.width} x ${size.height}`]
}

/** What every browser plays: 8 bits, 4:2:0, square pixels, upright. */
function checkPlayable(video: VideoReading): string[] {
  return [
    ...(['yuv420p', 'bgra', 'pal8'].includes(video.pixel_format)
      ? []
      : [`its pixels are ${video.pixel_format}`]),
    ...(video.has_square_pixels ? [] : ['its pixels are not square']),
    ...(video.is_turned ? ['players must turn it'] : []),
  ]
}

function checkLength(job: Measured, source: VideoReading, result: VideoReading): string[] {
  const { expected, is_copied } = job
  const lead = expected.start_seconds + hiddenLead(job.source, job.result, is_copied)
  const seconds = (expected.seconds ?? source.end_seconds - lead) / expected.factor
  const source_frame = 1 / (source.frames_per_second * expected.factor)
  const frame = Math.max(source_frame, 1 / result.frames_per_second)
  const away = result.end_seconds - seconds
  const late = is_copied && expected.seconds !== null ? LATE_FRAMES_MAX * source_frame : frame
  // Without a length in the file the last frame may last as long as any before it.
  // The last of uneven frames is shown until the file ends, and so is one whose length is unknown.
  const shown_on =
    source.is_uneven || !source.has_known_end
      ? Math.max(0, (job.source.audio?.end_seconds ?? 0) - source.end_seconds)
      : 0
  const unknown = source.has_known_end ? 0 : longestGap(source.times) / expected.factor
  const is_right =
    away < late + unknown + shown_on / expected.factor + ROUNDING_SECONDS &&
    away > -(frame + unknown + ROUNDING_SECONDS)
  return is_right ? [] : [`its video ends at ${result.end_seconds.toFixed(3)} s, not ${seconds.toFixed(3)} s`]
}

function longestGap(times: readonly number[]): number {
  return times.reduce((longest, time, at) => Math.max(longest, time - (times[at - 1] ?? time)), 0)
}

function checkAudio({ source, result, expected, is_copied }: Measured): string[] {
  const has_audio = expected.audio === 'added' || (expected.audio !== 'none' && source.audio !== null)
  if (has_audio !== (result.audio !== null)) return [has_audio ? 'it has no audio' : 'it has audio']
  if (source.audio === null || result.audio === null || expected.audio !== 'same') return []
  const late = is_copied && source.video !== null ? LATE_FRAMES_MAX / source.video.frames_per_second : 0
  return checkAudioEnd(source.audio, result.audio, { expected, video: source.video, late })
}

/** Audio of a cut ends with it, or before; and audio that outlives the video may end with that. */
function checkAudioEnd(
  source: AudioReading,
  result: AudioReading,
  { expected, video, late }: { expected: Expected; video: VideoReading | null; late: number },
): string[] {
  const { start_seconds, seconds, factor } = expected
  const cut = seconds === null ? Number.POSITIVE_INFINITY : start_seconds + seconds
  const end = Math.min(source.end_seconds, cut)
  const wanted = Math.max(0, end - start_seconds) / factor
  const with_video = (Math.min(cut, video?.end_seconds ?? end) - start_seconds) / factor
  const is_right =
    result.end_seconds < Math.max(wanted, with_video) + late + AUDIO_TOLERANCE_SECONDS &&
    result.end_seconds > Math.min(wanted, with_video) - AUDIO_TOLERANCE_SECONDS
  return is_right ? [] : [`its audio ends at ${result.end_seconds.toFixed(3)} s, not ${wanted.toFixed(3)} s`]
}
