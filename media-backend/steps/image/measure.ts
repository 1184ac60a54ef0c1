/** Measures of a drawn image and, if a size was requested, the quality that met it or the alternative. */
export interface ImageMeasure extends Record<string, unknown> {
  width: number
  height: number
  quality?: number
  lossless?: true
  /** The result is the input without its metadata. */
  input_kept?: true
  /** Neither a lower quality nor the input itself was possible. */
  larger_than_input?: true
}
