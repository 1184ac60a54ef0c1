/** A part of the video and audio, in seconds. */
export interface Cut {
  start: number
  seconds: number
  /** The cut runs to the end of the input, because the measured duration may miss the last frames. */
  to_end?: boolean
}
