import type { FfmpegStep } from './steps.ts'

/** An encode whose frames do not depend on each other, so that workers can share it. */
export interface SpreadEncode {
  /** Stream index of the source's video, its container and codec. */
  track: number
  container: string
  codec: string
  reorders_frames: boolean
  /** Exact rate: frame n of the source is displayed at `start_seconds` + n / rate. */
  frames_per_second: number
  start_seconds: number
  /** Number of frames by which the source starts late. */
  late_frames: number
  /** Encodes the whole video, without audio. */
  video: FfmpegStep
  /** Encodes the audio alone; null if there is none or it is copied. */
  audio: FfmpegStep | null
  /** Adds the audio and the metadata to the joined video. */
  finish: FfmpegStep
}

/** Frames of one segment, counted from 0: from `first` and before `end`; null means to the end of the file. */
export interface SegmentRange {
  first: number
  end: number | null
}
