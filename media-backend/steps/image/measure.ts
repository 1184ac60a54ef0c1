/** What a picture turned out to be, and where a size was to be met: by which quality, or by what instead. */
export interface ImageMeasure extends Record<string, unknown> {
  width: number
  height: number
  quality?: number
  lossless?: true
  /** It is the input without its metadata. */
  input_kept?: true
  /** It should be no larger, but neither a lower quality nor the input itself was possible. */
  larger_than_input?: true
}
