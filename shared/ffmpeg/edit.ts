import type { ImageFacts, MediaProbe, TimeRange } from '../planning/facts.ts'
import type {
  EmojiStep,
  ImageAction,
  ImageFormat,
  ImageStep,
  LayerStep,
  MetadataStrip,
  RateScale,
} from '../planning/steps.ts'
import type { Cut } from './cuts/cut-range.ts'
import type { VideoContainer } from './output/containers.ts'

/**
 * Edits are the units of a pipeline. Each one changes the video and audio and sees the facts left by the previous
 * edit, so a whole pipeline runs as a single ffmpeg or sharp run.
 */

/** The pads that a fragment connects, and the names it can use. */
export interface Pads {
  input: string
  output: string
  /** Returns a pad name unique to the fragment: own('blurred') → "[edit2_blurred]". */
  own(name: string): string
  /** Returns the video or audio pad of one of the edit's files: "[1:v]". */
  file(name: string, stream: 'v' | 'a'): string
  /** Position of the audio track among the kept tracks; 0 for video and for added audio. */
  track: number
}

/** A part of a filter graph between two pads. It never contains text from callers. */
export type Fragment = (pads: Pads) => string

/** Returns a fragment of consecutive filters: chain('hflip', 'scale=640:360'). */
export function chain(...filters: string[]): Fragment {
  return ({ input, output }) => `${input}${filters.join(',')}${output}`
}

/** How to write the result. The renderer (render.ts) chooses all settings that are left out. */
export interface Encoding {
  container?: VideoContainer
  /** Video encoder options as ffmpeg arguments; 'copy' copies the video. */
  video?: string[] | 'copy'
  audio?: string[] | 'copy'
  /**
   * Encodes a stream only if another edit changes it, if its codec differs, or if the container does not support
   * it.
   */
  only_where_needed?: boolean
  /** Keeps the input if the result would be larger. Applies only outside of pipelines. */
  never_larger?: boolean
  /** Chooses the rate factor of `video` by the detail that samples keep. */
  rate?: RateTarget
  /** The smallest frames that the encoder of `video` accepts, and the parameter that chose it. */
  frame_limit?: { side_min: number; field: string }
}

/** The quality that a video should have. */
export interface RateTarget {
  /** Highest accepted loss of detail (RateSearch). */
  loss_max: number
  /** The rate factor of videos that cannot be sampled, and the highest one. */
  lowest: number
  highest: number
  scale: RateScale
}

/** An edit of samples, which come from all parts of a video. */
export interface SampleEdit {
  /** Replaces `video` on the samples, which are joined; null leaves them unchanged. */
  video: Fragment | null
  /** The ranges of the video that the edit keeps and joins; absent if it keeps all or has a cut. */
  keep?: readonly TimeRange[]
  /** How many times faster the result is. */
  speed?: number
}

export interface VideoEdit {
  /** Keeps only this part, with frame accuracy; null keeps everything. */
  cut: Cut | null
  /** null leaves the video unchanged, so it can be copied unless another edit changes it. */
  video: Fragment | null
  /**
   * Each frame that `video` draws depends on one frame of the input, so it can be drawn on samples of the video. What an
   * edit reads from files may also depend on the time, as captions do. Parts of the video can therefore be encoded
   * separately only if it reads none (planSpread).
   */
  is_framewise?: true
  /** What to do with samples of the video if frames also depend on their times; those of samples are different. */
  samples?: SampleEdit
  /** Applied to each kept audio track; 'none' drops the audio; null leaves it unchanged. */
  audio: Fragment | 'none' | null
  /** Audio tracks to keep. */
  tracks: 'all' | 'played'
  /**
   * 'all' keeps subtitles and cover art with a copied video; 'none' drops them, because they may contain locations.
   */
  subtitles: 'all' | 'none'
  /** Additional inputs that the fragments read, by file name in the job folder. */
  files: readonly { file: string; options: string[] }[]
  /**
   * Files to write to the job folder before ffmpeg runs (text to draw, subtitles). Each is named after its content.
   */
  texts: readonly { file: string; content: string }[]
  /** Images to prepare before ffmpeg runs, such as a logo in its final size. */
  images: readonly (ImageStep | LayerStep | EmojiStep)[]
  /** Output options in addition to those of the encoders, such as metadata. */
  options: readonly string[]
  encoding: Encoding
  /** Fields that the edit adds to `result.body`. */
  body?: Record<string, unknown>
  /** The probe as it is after this edit. */
  after: MediaProbe
}

/** Returns a video edit that makes only these changes. */
export function videoEdit(before: MediaProbe, changes: Partial<VideoEdit>): VideoEdit {
  return {
    cut: null,
    video: null,
    audio: null,
    tracks: 'all',
    subtitles: 'all',
    files: [],
    texts: [],
    images: [],
    options: [],
    encoding: {},
    after: before,
    ...changes,
  }
}

/** Returns a copy of the probe with a different frame size. */
export function withSize(probe: MediaProbe, size: { width: number; height: number }): MediaProbe {
  return { ...probe, video: { ...probe.video, ...size, rotation_degrees: 0 } }
}

/** Returns a copy of the probe with a constant frame rate and a start at zero. */
export function withRate(probe: MediaProbe, frames_per_second: number): MediaProbe {
  const { base_rate: _, ...video } = probe.video
  const constant_rate = { frames_per_second, variable_frame_rate: false, start_seconds: 0 }
  return { ...probe, video: { ...video, ...constant_rate } }
}

export interface ImageEdit {
  actions: readonly ImageAction[]
  /** Requested output settings. For each field, the last edit that sets it wins. */
  output: {
    format?: ImageFormat
    quality?: number | null
    max_bytes?: number | null
    never_larger?: boolean
    is_compact?: boolean
    /** See ImageOutput; null means none. */
    similarity_min?: number | null
    /** Limits a PNG to 8 bits per channel. */
    bits_per_channel?: 8
  }
  /**
   * Metadata to remove, then tags to write; null leaves the metadata unchanged. An edit that changes only metadata
   * does not re-encode the pixels.
   */
  metadata: { strip: MetadataStrip; tags: Readonly<Record<string, string | number>> } | null
  after: ImageFacts
}

/** Returns an image edit that makes only these changes. */
export function imageEdit(before: ImageFacts, changes: Partial<ImageEdit>): ImageEdit {
  return { actions: [], output: {}, metadata: null, after: before, ...changes }
}
