import type { Reading, VideoReading } from './read-file.ts'
import type { Region, Turn } from './read-frames.ts'
import { WHOLE } from './read-frames.ts'

interface Size {
  width: number
  height: number
}

/** Properties that a result is expected to have, relative to its source. */
export interface Expected {
  /** Time in the source at which the result starts. */
  start_seconds: number
  /** How much of the source the result contains; null means all of it. */
  seconds: number | null
  /** Playback speed. */
  factor: number
  /** `changed` means that frames cannot be matched one by one with source frames. */
  video: 'same' | 'changed' | 'still' | 'none'
  /**
   * `changed` means that the level or timestamps differ by design. `added` means that the result has audio even if
   * the source has none.
   */
  audio: 'same' | 'changed' | 'added' | 'none'
  size: Size
  /** Container names as ffprobe reports them. The result must have one of them. */
  containers: readonly string[]
  /** Regions of the source and result frames that show the same content. */
  regions?: { source: Region; result: Region }
  turn?: Turn
  is_stripped?: true
}

export interface CopiedPart {
  start_seconds: number
  seconds: number
}

/** A job spec and the expected result. */
export interface MeasuredJob {
  operation_key: string
  params: Record<string, unknown>
  expected: Expected
  /** The part of the source that the result contains if the video is copied, because a copy starts at a keyframe. */
  if_copied?: CopiedPart
  /** The result must not be larger than the source. */
  is_smaller?: true
  /** Names of the job's assets. */
  assets?: readonly string[]
}

const MP4 = { containers: ['mp4'] }
const STILL = { video: 'still', audio: 'none' } as const
const CUES = '1\n00:00:00,000 --> 00:00:20,000\nMark\n'

/** Returns all jobs for a source. They copy it, trim it, encode it, and draw on it. */
export function jobsFor({ video }: Reading): MeasuredJob[] {
  if (video === null) return []
  const whole = video.end_seconds
  const start_seconds = round(whole / 4)
  const seconds = round(Math.min(4, whole / 2))
  const keyframe = video.keyframes.findLast((time) => time <= start_seconds + 1e-3) ?? 0
  const size = encodedSize(video)
  const base: Expected = {
    ...{ start_seconds: 0, seconds: null, factor: 1, size },
    ...{ video: 'same', audio: 'same', containers: ['mov', 'matroska'] },
  }
  const job = (
    operation_key: string,
    params: Record<string, unknown>,
    changes: Partial<Expected> = {},
    others: Partial<MeasuredJob> = {},
  ): MeasuredJob => ({ operation_key, params, expected: { ...base, ...changes }, ...others })
  const part = { start_seconds, seconds }
  const square = { width: 1080, height: 1080 }
  const small = scaleTo(video, 320)
  const padded = { width: 640, height: 640 }
  const reel = { width: 1080, height: 1920 }
  const webm = { containers: ['webm'] }
  const fitted = (canvas: Size) => ({
    size: canvas,
    regions: { source: WHOLE, result: fittedRegion(video, canvas) },
  })
  return [
    job('faststart', {}),
    job('strip_metadata', {}, { is_stripped: true }),
    job('mute', {}, { audio: 'none' }),
    job('trim', { start: start_seconds, duration: seconds, precise: true }, part),
    job('trim', { start: start_seconds, duration: seconds, precise: false }, part, {
      if_copied: { start_seconds: keyframe, seconds: seconds + start_seconds - keyframe },
    }),
    job('trim', { start: 0, duration: seconds }, { seconds }),
    job('compress', { level: 'light' }, {}, { is_smaller: true }),
    job('convert', { format: 'mp4', vcodec: 'libx264', acodec: 'aac' }, MP4),
    job('convert', { format: 'webm' }, webm),
    job('convert', { format: 'mkv' }, { containers: ['matroska'] }),
    job('convert', { format: 'mov' }, { containers: ['mov'] }),
    job('speed', { factor: 2 }, { factor: 2 }),
    job('speed', { factor: 0.5 }, { factor: 0.5 }),
    job('fps', { fps: 15 }, {}),
    job('rotate', { mode: '180' }, { turn: 'half' }),
    job('flip', { axis: 'h' }, { turn: 'mirror' }),
    job('resize', { width: 320 }, { size: small }),
    job('resize', { ...padded, mode: 'pad' }, fitted(padded)),
    job('social', { preset: 'square', mode: 'pad' }, fitted(square)),
    job('blur_bg', { aspect: '9:16', resolution: 1080 }, fitted(reel)),
    job('watermark', { text: 'Mark', position: 'br' }, { regions: UPPER_HALF }),
    job('subtitles', { mode: 'burn', subtitles_text: CUES }, { regions: UPPER_HALF }),
    job('subtitles', { mode: 'embed', subtitles_text: CUES }),
    job(
      'circle',
      { start: start_seconds, duration: Math.max(0.5, seconds), diameter: 240 },
      {
        ...{ start_seconds, seconds: Math.min(Math.max(0.5, seconds), whole - start_seconds) },
        ...{ size: { width: 240, height: 240 }, regions: { source: centerSquare(video), result: WHOLE } },
        ...{ ...MP4 },
      },
    ),
    job(
      'gif',
      { start: 0, duration: 1, width: 160 },
      {
        ...{ seconds: Math.min(1, whole), audio: 'none', size: scaleTo(video, 160), containers: ['gif'] },
      },
    ),
    job(
      'thumbnail',
      { at: start_seconds, format: 'png' },
      { ...STILL, size: video, containers: ['png_pipe'] },
    ),
    job(
      'cover',
      { title: 'Mark', size: 'square', at: 0 },
      { ...STILL, size: square, containers: ['jpeg_pipe'] },
    ),
    job('extract_audio', { format: 'mp3' }, { video: 'none', containers: ['mp3'] }),
    job('extract_audio', { format: 'aac' }, { video: 'none', containers: ['mov'] }),
    job('enhance_voice', { level: 'light' }, { audio: 'changed' }),
    job(
      'add_audio',
      { tracks: [{ url: 'https://example.com/tone.wav' }] },
      { audio: 'added' },
      {
        assets: ['0-tracks.0.url'],
      },
    ),
    job('device_meta', { preset: 'iphone_15' }),
    job('auto_edit', {}, { video: 'changed', audio: 'changed' }),
    job('transcribe', {}, { video: 'none', audio: 'none' }),
  ]
}

const TOP: Region = { x: 0, y: 0, width: 1, height: 0.5 }
const UPPER_HALF = { source: TOP, result: TOP }

/** Returns the region of a canvas that a frame covers when it is scaled to fit and centered. */
function fittedRegion(frame: Size, canvas: Size): Region {
  const scale = Math.min(canvas.width / frame.width, canvas.height / frame.height)
  const width = (frame.width * scale) / canvas.width
  const height = (frame.height * scale) / canvas.height
  return { x: (1 - width) / 2, y: (1 - height) / 2, width, height }
}

function centerSquare({ width, height }: Size): Region {
  const side = Math.min(width, height)
  return fittedRegion({ width: side, height: side }, { width, height })
}

function scaleTo({ width, height }: Size, target_width: number): Size {
  return { width: target_width, height: Math.round((height * target_width) / width) }
}

function round(seconds: number): number {
  return Math.round(seconds * 100) / 100
}

/** Full re-encodes are capped at 1080p (the contract, "Encoding behaviour"). */
function encodedSize({ width, height }: VideoReading): Size {
  const scale = Math.min(1, 1080 / Math.min(width, height), 4096 / Math.max(width, height))
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}
