import type { Place } from '../text/positions.ts'
import type { ColorCodePoints, ImageSequence } from './facts.ts'

/** File name under which every step finds the job's input. */
export const SOURCE = 'source'

/** One run of ffmpeg. Each argument is a separate string; files are names in the job folder, or SOURCE. */
export interface FfmpegStep {
  kind: 'ffmpeg'
  inputs: FfmpegInput[]
  /** The complete `-filter_complex` graph, or null. */
  filter_graph: string | null
  output: { file: string; options: string[] }
  /** Tracks of the first input whose audio the graph filters (shared/ffmpeg/audio/uniform-audio.ts). */
  audio_tracks?: readonly number[]
  /** Duration of the output, used to report progress; null for a single image. */
  output_duration_seconds: number | null
  /**
   * The next attempt if this one writes no file or no frame. Without an index, a seek may land after the last
   * keyframe.
   */
  fallback?: Pick<FfmpegStep, 'inputs' | 'filter_graph' | 'fallback'> & Partial<Pick<FfmpegStep, 'output'>>
  /** Replaces the rate factor (`-crf`) in the options by one that suits this video. */
  rate_search?: RateSearch
}

/** The unit of an encoder's rate factor. */
export interface RateScale {
  /** The rate factor is a multiple of this. */
  step: number
  /** How much the loss of a typical video grows with each unit (in logarithms). */
  growth: number
}

/**
 * A search for the highest rate factor at which a video keeps its detail. It encodes short samples and compares
 * frames of them with their source.
 */
export interface RateSearch {
  /** Highest accepted loss of detail (media-backend/steps/rate/measure-loss.ts). */
  loss_max: number
  /** The range of rate factors. */
  lowest: number
  highest: number
  scale: RateScale
  /** The samples that each probe encodes: one input for each, and a graph that joins them as `[samples]`. */
  inputs: FfmpegInput[]
  filter_graph: string
  /** Number of frames that each probe encodes. */
  frames: number
  /** Number of frames that each probe decodes for them. */
  decoded_frames: number
  probes_max: number
  /** Options of the video encoder and of its timestamps, as in the step. */
  encoder: string[]
  /** Size at which frames are compared. */
  compared: { width: number; height: number }
}

export interface FfmpegInput {
  file: string
  options: string[]
  /**
   * Approximate number of seconds read; absent if the whole input is read. If it is set, large sources need not be
   * downloaded in full.
   */
  reads_seconds?: number
}

/** One pass over the frames of a video, made by an encoder or by an operation that draws. */
export interface FramePass {
  seconds: number
  frames_per_second: number
  width: number
  height: number
}

/** Frames of the input. They are decoded, whatever the size of the output. */
export type SourceFrames = Omit<FramePass, 'seconds'>

/** One sharp pipeline: actions in order, then one encoder. */
export interface ImageStep {
  kind: 'image'
  input: string
  /**
   * The original file, if `input` was decoded from it. Decoded pixels are upright, regardless of the EXIF
   * orientation.
   */
  decoded_from?: string
  actions: ImageAction[]
  output: ImageOutput
}

/**
 * Edits to the pixels of every frame, in order. Sizes and positions are whole pixels set by the plan; colors are
 * `#rrggbb`.
 */
export type ImageAction =
  /**
   * `fit` as in sharp: inside keeps the aspect ratio, cover crops to fill, contain pads with the background
   * (null: transparent), fill stretches. `keep` is what cover looks for, and the center without it: the part that
   * people look at, or the one with the most details.
   */
  | {
      action: 'resize'
      width: number | null
      height: number | null
      fit: 'inside' | 'cover' | 'contain' | 'fill'
      background?: string | null
      keep?: 'attention' | 'entropy'
    }
  | { action: 'crop'; left: number; top: number; width: number; height: number }
  /** Counterclockwise, more than 0 and less than 360 degrees; exposed corners get the background. */
  | { action: 'rotate'; degrees: number; background: string | null }
  /** h flips horizontally, v vertically. */
  | { action: 'flip'; axis: 'h' | 'v' }
  /** Keeps the inscribed circle of a square image; the rest becomes the background (null: transparent). */
  | { action: 'circle'; diameter: number; background: string | null }
  /** Stretches the luminance to the full range. */
  | { action: 'autocontrast' }
  | { action: 'blur'; radius: number }
  /** 0 softens, 1 changes nothing, more than 1 sharpens. */
  | { action: 'sharpness'; factor: number }
  /** Factors: 1 changes nothing, and a saturation of 0 is gray. */
  | { action: 'color'; brightness: number; contrast: number; saturation: number }
  | OverlayAction

export interface OverlayAction {
  action: 'overlay'
  /** Text is drawn literally; it is never parsed as markup. */
  content: { kind: 'text'; text: string; color: string } | { kind: 'image'; file: string }
  /** Size of the image below the overlay. */
  canvas: { width: number; height: number }
  /** Width of the overlay, reduced if its height would not fit. */
  width: number
  margin: number
  place: Place
  /** Repeats the overlay over the whole image; text is slanted. */
  tiled: boolean
  opacity: number
}

/** Draws one overlay as a PNG with a transparent background, for text with colors that ffmpeg cannot draw (emoji). */
export interface LayerStep {
  kind: 'layer'
  overlay: OverlayAction
  output: { file: string }
}

/** Draws the colored emoji of a text that libass draws, at the places that the text leaves for them. */
export interface EmojiStep {
  kind: 'emoji'
  /** An ASS script that shows the place of each emoji for a second, in order, as a white rectangle. */
  script: string
  emoji: readonly string[]
  /** The frames to write, each with its duration and the positions of its emoji in `emoji`. */
  frames: readonly { hundredths: number; emoji: readonly number[] }[]
  size: { width: number; height: number }
  /** A PNG of the only frame, or a Matroska file with a transparent background. */
  output: { file: string }
}

/** GIF and WebP keep all frames of an animation; the others keep only the first. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif'

export interface ImageOutput {
  file: string
  /** In JPEG, transparent areas become white. */
  format: ImageFormat
  /**
   * From 1 to 100, or null for the default of the format. For PNG, this sets the palette size, and null is
   * lossless. Unused for GIF.
   */
  quality: number | null
  /** Lowers the quality until the file has at most this many bytes; null means no limit. */
  max_bytes: number | null
  /** Bit depth of lossless PNG; absent if 8. Used only if the actions move pixels without drawing. */
  bits_per_channel?: 16
  /**
   * Keeps the pixels in the input's RGB color space and attaches its profile, instead of converting to sRGB.
   */
  keeps_profile?: true
  /** Reduces memory use for large images: no optimized tables in JPEG, 4:2:0 chroma in AVIF. */
  saves_memory?: true
  /** Spends more time on a smaller file of the same quality: a progressive JPEG. */
  is_compact?: true
  /** Without a quality, searches for the lowest one whose structural similarity to the source is at least this. */
  similarity_min?: number
  /**
   * If the result is larger than the input, returns the input without metadata if nothing else changes; otherwise
   * searches for a smaller encoding. Lossless output stays larger.
   */
  never_larger?: boolean
}

/** Decodes a HEIC image, which sharp cannot read, to an upright TIFF with its color profile. */
export interface HeicStep {
  kind: 'heic'
  input: string
  /** Colors of an image without a profile; absent for sRGB. */
  color?: ColorCodePoints
  output: { file: string }
}

/** Makes a lossless animated WebP from the first frames of an animation that sharp cannot read. */
export interface SequenceStep {
  kind: 'sequence'
  input: string
  sequence: ImageSequence
  size: { width: number; height: number }
  frames: number
  output: { file: string }
}

/** Copies a PNG and attaches an ICC profile made from its color code points; tone-maps HDR. */
export interface ProfileStep {
  kind: 'profile'
  input: string
  color: ColorCodePoints
  output: { file: string }
}

/** Removable parts of the metadata: the location, or the device and its exposure settings. */
export type MetadataPart = 'place' | 'device'

/** Metadata to remove: everything that is not needed for display, or only these parts. */
export type MetadataStrip = 'all' | readonly MetadataPart[]

/** Changes the metadata of an image and leaves its pixels untouched. */
export interface MetadataStep {
  kind: 'metadata'
  input: string
  /** The image to copy metadata from, if `input` was re-encoded; null means none. */
  copy_from: string | null
  strip: MetadataStrip
  /** Tags to write last, named as in exiftool, including their group: "ExifIFD:LensModel". '' deletes a tag. */
  tags: Readonly<Record<string, string | number>>
  output: { file: string }
}

/**
 * Writes a text file to the job folder. Text from callers reaches ffmpeg only through files, never as syntax.
 */
export interface TextStep {
  kind: 'text'
  file: string
  content: string
}

/** Overwrites user data messages inside the coded video in place; encodes nothing. */
export interface UserDataStep {
  kind: 'user_data'
  /** Same as the output file. */
  input: string
  codec: 'h264' | 'hevc'
  output: { file: string }
}

/** Joins the video tracks of MP4 files that ffmpeg wrote with the same timescale. Keeps every frame as it is. */
export interface JoinStep {
  kind: 'join'
  timescale: number
  /** Files in order, each with the display time of its first frame, and the earliest time of any. */
  parts: { file: string; start: number; earliest: number; encoded: boolean }[]
  /** When the last frame ends; null keeps its duration. */
  end: number | null
  /** The copied frames start at a recovery point of H.264, so all frames use the same sequence parameters. */
  shares_sequence?: true
  output: { file: string }
}

/** A precise cut that encodes only the frames around its ends. All times are in units of `timescale`. */
export interface SmartCut {
  timescale: number
  /** Becomes the start of the result: the first frame, or the requested start in a video with a variable rate. */
  zero: number
  /** The frame displayed at the start. */
  first: number
  /** The first copied frame. Equal to `first` if nothing is encoded before it. */
  copy: number
  /** That frame is a recovery point of H.264 (CutPacket.is_open). */
  is_open?: true
  /** The last copied packet in decoding order, and the last copied frame; null if the copy runs to the end. */
  copy_end: { dts: number; pts: number } | null
  /** Frames to encode after the copy: from `start` and before `end`; null if there are none. */
  tail: { start: number; end: number } | null
  /** How long the result lasts; null if it runs to the end of the file. */
  length: number | null
}

/** A precise cut among others. If nothing is copied, `copy` follows all frames, and `copy_end.pts` lies before it. */
export interface PlacedCut extends SmartCut {
  /** Where its start lies in the result. */
  at: number
}

/** Compares cuts with their source, and fails if a frame is missing, moved or damaged. */
export interface CheckCutStep {
  kind: 'check_cut'
  /** The file with the result. */
  file: string
  /** Stream index of the video in the source. */
  track: number
  /** In order. */
  cuts: [PlacedCut, ...PlacedCut[]]
  reads_seconds: number
}

export type Step =
  | FfmpegStep
  | ImageStep
  | TextStep
  | LayerStep
  | EmojiStep
  | HeicStep
  | SequenceStep
  | ProfileStep
  | MetadataStep
  | UserDataStep
  | JoinStep
  | CheckCutStep
