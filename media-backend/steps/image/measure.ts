/**
 * Measurements of a drawn image. If a size limit was requested, they include the quality that met it, or the
 * alternative that was used.
 */
export interface ImageMeasure extends Record<string, unknown> {
  width: number
  height: number
  quality?: number
  lossless?: true
  /** True if the result is the input without its metadata. */
  input_kept?: true
  /** True if neither a lower quality nor the input itself could be used to avoid a larger result. */
  larger_than_input?: true
}
