/** The name under which every step finds the job's input. */
export const SOURCE = 'source'

/** One run of ffmpeg. Every argument is its own string; files are names in the job's folder, or SOURCE. */
export interface FfmpegStep {
  kind: 'ffmpeg'
  inputs: { file: string; options: string[] }[]
  /** A whole `-filter_complex` graph, or null. */
  filter_graph: string | null
  output: { file: string; options: string[] }
  /** Length of what is written, by which progress is told; null where it is one picture. */
  output_duration_seconds: number | null
}

/** One sharp pipeline: actions in their order, then one encoder. */
export interface ImageStep {
  kind: 'image'
  input: string
  actions: ImageAction[]
  output: ImageOutput
}

export type ImageAction =
  /** `fit` is sharp's: inside keeps the aspect, cover crops to fill, fill distorts. Sizes in pixels. */
  { action: 'resize'; width: number | null; height: number | null; fit: 'inside' | 'cover' | 'fill' }

/** GIF and WebP keep all frames of an animation; the others take its first. */
export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif'

export interface ImageOutput {
  file: string
  /** JPEG has no transparency: what shows through is white. */
  format: ImageFormat
  /** 1-100, or null for the format's own default; PNG: colours of a palette, null for none lost. GIF has none. */
  quality: number | null
  /** Search downwards from `quality` until the file is no larger than this many bytes; null: no limit. */
  max_bytes: number | null
}

/** Writes a text file into the job's folder: what a person typed reaches ffmpeg by a file, never as syntax. */
export interface TextStep {
  kind: 'text'
  file: string
  content: string
}

export type Step = FfmpegStep | ImageStep | TextStep
