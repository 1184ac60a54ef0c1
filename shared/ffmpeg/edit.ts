import type { ImageFacts, MediaProbe } from '../planning/facts.ts'
import type { ImageAction, ImageFormat, ImageStep, LayerStep, MetadataStrip } from '../planning/steps.ts'
import type { Cut } from './cuts/cut-range.ts'
import type { VideoContainer } from './output/containers.ts'

/**
 * Edits are what operations of one service chain by: each changes the running picture and sound, and
 * sees the facts as the edit before left them, so that a whole pipeline runs as one ffmpeg or sharp run.
 */

/** The pads that a fragment joins, and what else it may name. */
export interface Pads {
  input: string
  output: string
  /** A pad of the fragment's own, which clashes with no other: own('blurred') → "[edit2_blurred]". */
  own(name: string): string
  /** The picture (or sound) pad of one of the edit's files: "[1:v]". */
  file(name: string, stream: 'v' | 'a'): string
  /** Of a sound: its track's position among those that are kept; 0 of the picture and of new sound. */
  track: number
}

/** A part of a filter graph from one pad to another. Nothing that a person typed may be in it. */
export type Fragment = (pads: Pads) => string

/** A fragment of filters in a row: chain('hflip', 'scale=640:360'). */
export function chain(...filters: string[]): Fragment {
  return ({ input, output }) => `${input}${filters.join(',')}${output}`
}

/** How the result is written; what is not said is decided by the renderer (video/render.ts). */
export interface Encoding {
  container?: VideoContainer
  /** Encoder options of the picture, as ffmpeg takes them; 'copy' leaves it as it is. */
  video?: string[] | 'copy'
  audio?: string[] | 'copy'
  /** Encodes just what another edit changes, what has another codec, or what the container can't hold. */
  only_where_needed?: boolean
  /** Keeps the input where the result would be larger. Applies to an edit that stands alone. */
  never_larger?: boolean
}

export interface VideoEdit {
  /** Keeps this part alone, in seconds, exact to the frame; null: all. */
  cut: Cut | null
  /** null leaves the picture untouched, so that it can be copied where no other edit needs it. */
  video: Fragment | null
  /** Applied to each sound track that is kept; 'none' drops the sound; null leaves it untouched. */
  audio: Fragment | 'none' | null
  /** Sound tracks that are kept. */
  tracks: 'all' | 'played'
  /** Subtitles and the cover art of a whole clip go along with a copied picture, or stay out: places are in them. */
  subtitles: 'all' | 'none'
  /** Further inputs that the fragments read, by the name of the file in the job's folder. */
  files: readonly { file: string; options: string[] }[]
  /** Files written into the job's folder before ffmpeg runs: texts to draw, subtitles. Named by their content. */
  texts: readonly { file: string; content: string }[]
  /** Pictures that are made ready before ffmpeg runs: a logo in the size at which it is laid over. */
  images: readonly (ImageStep | LayerStep)[]
  /** Options of the output beside the encoders': metadata and the like. */
  options: readonly string[]
  encoding: Encoding
  /** What the edit tells in `result.body`. */
  body?: Record<string, unknown>
  /** The facts as this edit leaves them. */
  after: MediaProbe
}

/** An edit of a video that changes just what is given. */
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

/** The facts of a video whose picture has another size. */
export function withSize(probe: MediaProbe, size: { width: number; height: number }): MediaProbe {
  return { ...probe, video: { ...probe.video, ...size, rotation_degrees: 0 } }
}

/** The facts of a video whose frames come evenly from nought on, at another rate. */
export function withRate(probe: MediaProbe, frames_per_second: number): MediaProbe {
  const constant_rate = { frames_per_second, variable_frame_rate: false, start_seconds: 0 }
  return { ...probe, video: { ...probe.video, ...constant_rate } }
}

export interface ImageEdit {
  actions: readonly ImageAction[]
  /** What the edit wants of the file that is written; the last edit that says something has its way. */
  output: {
    format?: ImageFormat
    quality?: number | null
    max_bytes?: number | null
    never_larger?: boolean
    /** A PNG of 8 bits is asked for, also where the picture has more. */
    bits_per_channel?: 8
  }
  /** Metadata to take away, then tags to write; null leaves it. Edits without pixels keep those bit by bit. */
  metadata: { strip: MetadataStrip; tags: Readonly<Record<string, string | number>> } | null
  after: ImageFacts
}

/** An edit of a picture that changes just what is given. */
export function imageEdit(before: ImageFacts, changes: Partial<ImageEdit>): ImageEdit {
  return { actions: [], output: {}, metadata: null, after: before, ...changes }
}
