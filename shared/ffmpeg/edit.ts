import type { ImageFacts, MediaProbe } from '../planning/facts.ts'
import type { ImageAction, ImageFormat, ImageStep, LayerStep, MetadataStrip } from '../planning/steps.ts'
import type { Cut } from './cuts/cut-range.ts'
import type { VideoContainer } from './output/containers.ts'

/**
 * Edits are the units of a pipeline: each changes the video and audio and sees the facts that the previous
 * edit left, so that a whole pipeline runs as one ffmpeg or sharp run.
 */

/** The pads that a fragment connects, and the names that it may use. */
export interface Pads {
  input: string
  output: string
  /** Returns a pad name unique to the fragment: own('blurred') → "[edit2_blurred]". */
  own(name: string): string
  /** Returns the video or audio pad of one of the edit's files: "[1:v]". */
  file(name: string, stream: 'v' | 'a'): string
  /** Position of the audio track among those kept; 0 for video and for added audio. */
  track: number
}

/** A part of a filter graph between two pads. It never contains text from callers. */
export type Fragment = (pads: Pads) => string

/** Returns a fragment of consecutive filters: chain('hflip', 'scale=640:360'). */
export function chain(...filters: string[]): Fragment {
  return ({ input, output }) => `${input}${filters.join(',')}${output}`
}

/** How to write the result; the renderer (render.ts) decides what is not set. */
export interface Encoding {
  container?: VideoContainer
  /** Encoder options of the video as ffmpeg arguments; 'copy' copies it. */
  video?: string[] | 'copy'
  audio?: string[] | 'copy'
  /**
   * Encodes only what another edit changes, what has another codec, or what the container does not support.
   */
  only_where_needed?: boolean
  /** Keeps the input if the result would be larger. Applies only to an edit outside of pipelines. */
  never_larger?: boolean
}

export interface VideoEdit {
  /** Keeps only this part, exact to the frame; null keeps all. */
  cut: Cut | null
  /** null leaves the video unchanged, so that it can be copied unless another edit changes it. */
  video: Fragment | null
  /** Applied to each kept audio track; 'none' drops the audio; null leaves it unchanged. */
  audio: Fragment | 'none' | null
  /** Audio tracks to keep. */
  tracks: 'all' | 'played'
  /** Keeps subtitles and cover art with a copied video, or drops them, because they may contain locations. */
  subtitles: 'all' | 'none'
  /** Additional inputs that the fragments read, by file name in the job folder. */
  files: readonly { file: string; options: string[] }[]
  /**
   * Files to write to the job folder before ffmpeg runs (text to draw, subtitles), named by their content.
   */
  texts: readonly { file: string; content: string }[]
  /** Images to prepare before ffmpeg runs, such as a logo in its final size. */
  images: readonly (ImageStep | LayerStep)[]
  /** Output options beside those of the encoders, such as metadata. */
  options: readonly string[]
  encoding: Encoding
  /** Fields that the edit adds to `result.body`. */
  body?: Record<string, unknown>
  /** The facts after this edit. */
  after: MediaProbe
}

/** Returns a video edit with these changes only. */
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

/** Returns the facts of a video with another frame size. */
export function withSize(probe: MediaProbe, size: { width: number; height: number }): MediaProbe {
  return { ...probe, video: { ...probe.video, ...size, rotation_degrees: 0 } }
}

/** Returns the facts of a video with a constant frame rate that starts at zero. */
export function withRate(probe: MediaProbe, frames_per_second: number): MediaProbe {
  const constant_rate = { frames_per_second, variable_frame_rate: false, start_seconds: 0 }
  return { ...probe, video: { ...probe.video, ...constant_rate } }
}

export interface ImageEdit {
  actions: readonly ImageAction[]
  /** Requested output settings; the last edit that sets a field decides. */
  output: {
    format?: ImageFormat
    quality?: number | null
    max_bytes?: number | null
    never_larger?: boolean
    /** Limits a PNG to 8 bits per channel. */
    bits_per_channel?: 8
  }
  /**
   * Metadata to remove, then tags to write; null leaves it. An edit of metadata alone does not re-encode the
   * pixels.
   */
  metadata: { strip: MetadataStrip; tags: Readonly<Record<string, string | number>> } | null
  after: ImageFacts
}

/** Returns an image edit with these changes only. */
export function imageEdit(before: ImageFacts, changes: Partial<ImageEdit>): ImageEdit {
  return { actions: [], output: {}, metadata: null, after: before, ...changes }
}
