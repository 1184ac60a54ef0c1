/** A part of the video and audio, in seconds. Contains every frame that is displayed in it, even briefly. */
export interface Cut {
  start: number
  seconds: number
  /** The cut runs to the end of the input, because the measured duration may miss the last frames. */
  to_end?: boolean
  /** `seconds` is a limit: a frame that would exceed it is left out. */
  never_longer?: true
}
