import type { AudioReading, Reading, VideoReading } from './read-file.ts'

/** What a result must be, beside the reading of its source. Times are in seconds. */
export interface Expected {
  /** How long the result plays; null: as long as the source. */
  seconds: number | null
  /** The source's time that the result starts at, and how much faster it plays. */
  start_seconds: number
  factor: number
  video: 'same' | 'drawn' | 'none'
  audio: 'same' | 'none'
  size?: { width: number; height: number }
  /** ffprobe's names, one of which the container must have. */
  containers: readonly string[]
  /** A copy begins at a keyframe, and so may be longer. */
  is_rough?: boolean
}

export interface Job {
  source: Reading
  result: Reading
  expected: Expected
}

const LEVEL_TOLERANCE_DB = 0.5
/** An audio frame of AAC or MP3 at 44.1 kHz, twice: encoders begin and end in whole frames. */
const AUDIO_TOLERANCE_SECONDS = 0.1

/** Each fault as a sentence; none where the result is right. Colors are compared elsewhere. */
export function checkResult(job: Job): string[] {
  return [...checkContainer(job), ...checkVideo(job), ...checkAudio(job), ...checkOffset(job)]
}

function checkContainer({ result, expected }: Job): string[] {
  const known = expected.containers.some((name) => result.container.split(',').includes(name))
  return [
    ...(known ? [] : [`the container is ${result.container}`]),
    ...(result.is_index_first === false ? ['the index is not first'] : []),
  ]
}

function checkVideo({ source, result, expected }: Job): string[] {
  if (source.video === null) return []
  if (expected.video === 'none') return result.video === null ? [] : ['it has video']
  if (result.video === null) return ['it has no video']
  const size = expected.size ?? source.video
  return [...checkSize(result.video, size, expected), ...checkLength(source.video, result.video, expected)]
}

function checkSize(
  video: VideoReading,
  size: { width: number; height: number },
  { video: kind }: Expected,
): string[] {
  // 4:2:0 encodes even sizes.
  const tolerance = kind === 'same' ? 1 : 2
  const away = Math.max(Math.abs(video.width - size.width), Math.abs(video.height - size.height))
  return away <= tolerance
    ? []
    : [`it is ${video.width} x ${video.height}, not ${size.width} x ${size.height}`]
}

function checkLength(source: VideoReading, result: VideoReading, expected: Expected): string[] {
  const seconds = expected.seconds ?? source.end_seconds
  const frame = 1 / Math.min(source.frames_per_second / expected.factor, result.frames_per_second)
  const away = result.end_seconds - seconds
  const is_long = expected.is_rough === true ? away > 12 : away > frame + 0.05
  return is_long || away < -(frame + 0.05)
    ? [`its video ends at ${result.end_seconds.toFixed(3)} s, not ${seconds.toFixed(3)} s`]
    : []
}

function checkAudio({ source, result, expected }: Job): string[] {
  const has_audio = expected.audio !== 'none' && source.audio !== null
  if (has_audio !== (result.audio !== null)) return [has_audio ? 'it has no audio' : 'it has audio']
  if (source.audio === null || result.audio === null || expected.seconds !== null) return []
  return [...checkAudioEnd(source.audio, result.audio), ...checkLevel(source.audio, result.audio)]
}

function checkAudioEnd(source: AudioReading, result: AudioReading): string[] {
  const away = Math.abs(result.end_seconds - source.end_seconds)
  return away > AUDIO_TOLERANCE_SECONDS
    ? [`its audio ends at ${result.end_seconds.toFixed(3)} s, not ${source.end_seconds.toFixed(3)} s`]
    : []
}

function checkLevel(source: AudioReading, result: AudioReading): string[] {
  if (source.mean_db === null || result.mean_db === null || source.channels > 2) return []
  const away = Math.abs(result.mean_db - source.mean_db)
  return away > LEVEL_TOLERANCE_DB ? [`its audio is ${away.toFixed(2)} dB louder or quieter`] : []
}

/** Whether audio and video start as far from each other as they did, to a frame. */
function checkOffset({ source, result, expected }: Job): string[] {
  if (expected.seconds !== null || expected.factor !== 1) return []
  const [before, after] = [offsetOf(source), offsetOf(result)]
  if (before === null || after === null) return []
  // Silence, and a first frame held for longer, may fill the start.
  const frame = 1 / Math.min(source.video?.frames_per_second ?? 25, result.video?.frames_per_second ?? 25)
  const away = Math.abs(after - before)
  return away > frame + AUDIO_TOLERANCE_SECONDS && Math.abs(after) > frame + AUDIO_TOLERANCE_SECONDS
    ? [`its audio starts ${after.toFixed(3)} s after its video, not ${before.toFixed(3)} s`]
    : []
}

function offsetOf({ video, audio }: Reading): number | null {
  const first = video?.times[0]
  return first === undefined || audio === null ? null : audio.start_seconds - first
}

/** How far apart two frames are, as the mean difference of their grids of colors, from 0 to 255. */
export function colorDistance(one: readonly number[], other: readonly number[]): number {
  const sum = one.reduce((total, level, index) => total + Math.abs(level - (other[index] ?? 0)), 0)
  return sum / Math.max(1, one.length)
}
