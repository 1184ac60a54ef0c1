import type { Place } from '../text/positions.ts'
import type { ColorCodePoints, ImageSequence } from './facts.ts'

/** The name under which every step finds the job's input. */
export const SOURCE = 'source'

/** One run of ffmpeg. Every argument is its own string; files are names in the job's folder, or SOURCE. */
export interface FfmpegStep {
  kind: 'ffmpeg'
  inputs: FfmpegInput[]
  /** A whole `-filter_complex` graph, or null. */
  filter_graph: string | null
  output: { file: string; options: string[] }
  /** Tracks of the first input whose sound the graph changes (video/even-sound.ts). */
  audio_tracks?: readonly number[]
  /** Length of what is written, by which progress is told; null where it is one picture. */
  output_duration_seconds: number | null
  /** How to do it where that leaves no file, or no picture: without an index a seek may land behind the last keyframe. */
  fallback?: Pick<FfmpegStep, 'inputs' | 'filter_graph' | 'fallback'> & Partial<Pick<FfmpegStep, 'output'>>
}

export interface FfmpegInput {
  file: string
  options: string[]
  /** How much of its length is read, about; absent: all. A large source is then not fetched whole. */
  reads_seconds?: number
}

/** One pass over the frames of a video, by an operation that draws or by an encoder. */
export interface FramePass {
  seconds: number
  frames_per_second: number
  width: number
  height: number
}

/** One sharp pipeline: actions in their order, then one encoder. */
export interface ImageStep {
  kind: 'image'
  input: string
  /** The file that came, where the input was decoded from it: that lies as it is shown already, whatever its EXIF says. */
  decoded_from?: string
  actions: ImageAction[]
  output: ImageOutput
}

/**
 * What is done to the pixels of every frame, in the order of the list. Sizes and places are in whole pixels,
 * decided by the plan; colors are `#rrggbb`.
 */
export type ImageAction =
  /**
   * `fit` is sharp's: inside keeps the aspect, cover crops to fill, contain fills up with the background
   * (null: transparent), fill distorts.
   */
  | {
      action: 'resize'
      width: number | null
      height: number | null
      fit: 'inside' | 'cover' | 'contain' | 'fill'
      background?: string | null
    }
  | { action: 'crop'; left: number; top: number; width: number; height: number }
  /** Degrees counter-clockwise, above 0 and below 360; the corners that open up get the background. */
  | { action: 'rotate'; degrees: number; background: string | null }
  /** h mirrors left and right, v turns upside down. */
  | { action: 'flip'; axis: 'h' | 'v' }
  /** Leaves the circle of a square picture of this side; outside it is the background (null: nothing). */
  | { action: 'circle'; diameter: number; background: string | null }
  /** Stretches the brightness over the whole range. */
  | { action: 'autocontrast' }
  | { action: 'blur'; radius: number }
  /** 0 softens, 1 changes nothing, above 1 sharpens. */
  | { action: 'sharpness'; factor: number }
  /** Factors, 1 changes nothing; saturation 0 is grey. */
  | { action: 'color'; brightness: number; contrast: number; saturation: number }
  | OverlayAction

export interface OverlayAction {
  action: 'overlay'
  /** The text is written as it is: nothing in it is markup. */
  content: { kind: 'text'; text: string; color: string } | { kind: 'image'; file: string }
  /** The size of the picture that it is laid over. */
  canvas: { width: number; height: number }
  /** How wide it becomes, unless its height would not fit the picture then. */
  width: number
  margin: number
  place: Place
  /** Repeated all over the picture instead, at a slant where it is a text. */
  tiled: boolean
  opacity: number
}

/** Draws one overlay on a transparent canvas, as a PNG: texts with colors that ffmpeg does not draw. */
export interface LayerStep {
  kind: 'layer'
  overlay: OverlayAction
  output: { file: string }
}

/** GIF and WebP keep all frames of an animation; the others take its first. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif'

export interface ImageOutput {
  file: string
  /** JPEG has no transparency: what shows through is white. */
  format: ImageFormat
  /** 1-100, or null for the format's own default; PNG: colors of a palette, null for none lost. GIF has none. */
  quality: number | null
  /** Search downwards from `quality` until the file is no larger than this many bytes; null: no limit. */
  max_bytes: number | null
  /** Of a PNG without a quality; absent: 8. Only where the actions move pixels and draw nothing. */
  bits_per_channel?: 16
  /** The pixels stay in the colors of the input's RGB profile, which goes along, instead of sRGB. */
  keeps_profile?: true
  /** So large that memory counts: a JPEG's tables are not made for it alone, an AVIF's colors are halved in size. */
  saves_memory?: true
  /**
   * Where the file would come out larger than the one that came: that one without its metadata, if nothing was to be
   * done to it, else searched for in the same way, as far as it helps. What is to lose nothing stays larger.
   */
  never_larger?: boolean
}

/** Decodes a HEIC picture, which sharp can't read, to an upright PNG with its color profile. */
export interface HeicStep {
  kind: 'heic'
  input: string
  output: { file: string }
}

/** Decodes the first frames of an animation that sharp can't read to a lossless animated WebP. */
export interface SequenceStep {
  kind: 'sequence'
  input: string
  sequence: ImageSequence
  size: { width: number; height: number }
  frames: number
  output: { file: string }
}

/** Copies a PNG with an ICC profile that stands for its color code points; HDR is tone-mapped by it. */
export interface ProfileStep {
  kind: 'profile'
  input: string
  color: ColorCodePoints
  output: { file: string }
}

/** Where an image was taken; which device took it, and how. */
export type MetadataPart = 'place' | 'device'

/** What is removed from an image's metadata: all but how to show it, or these parts. */
export type MetadataStrip = 'all' | readonly MetadataPart[]

/** Changes the metadata of a picture; its pixels stay as they are, bit by bit. */
export interface MetadataStep {
  kind: 'metadata'
  input: string
  /** The picture whose metadata is taken over where `input` was written anew and has none. */
  copy_from: string | null
  strip: MetadataStrip
  /** Written last, named as exiftool has them with their group: "ExifIFD:LensModel". '' takes a tag away. */
  tags: Readonly<Record<string, string | number>>
  output: { file: string }
}

/** Writes a text file into the job's folder: what a person typed reaches ffmpeg by a file, never as syntax. */
export interface TextStep {
  kind: 'text'
  file: string
  content: string
}

/** Overwrites, in place, what a camera wrote into the coded video itself; nothing is encoded. */
export interface UserDataStep {
  kind: 'user_data'
  /** The same file as the output. */
  input: string
  codec: 'h264' | 'hevc'
  output: { file: string }
}

export type Step =
  | FfmpegStep
  | ImageStep
  | TextStep
  | LayerStep
  | HeicStep
  | SequenceStep
  | ProfileStep
  | MetadataStep
  | UserDataStep
