/** Part of a frame that the rounding of times to milliseconds can take, at up to 120 frames per second. */
const ROUNDING_FRAMES = 0.1

/** Returns the frame that is shown at a time. */
export function frameAt(seconds: number, rate: number): number {
  return Math.max(0, Math.floor(seconds * rate + ROUNDING_FRAMES))
}

/** Returns the time at which a frame begins, in whole milliseconds. */
export function timeOf(frame: number, rate: number): number {
  return Math.round((frame / rate) * 1000) / 1000
}

/** Returns a position for the player at which it shows this frame and no neighbor. */
export function middleOf(frame: number, rate: number): number {
  return (frame + 0.5) / rate
}

/** Frames of a clip: from `first` to before `end`. */
export interface Clip {
  first: number
  end: number
}

export interface ClipLimits {
  /** Frames of the whole video. */
  total: number
  shortest: number
  longest: number
}

/** Moves the start of a clip, within the video and the allowed lengths. */
export function moveFirst({ end }: Clip, frame: number, { shortest, longest }: ClipLimits): Clip {
  const first = clamp(frame, Math.max(0, end - longest), Math.max(0, end - shortest))
  return { first, end }
}

/** Moves the end of a clip, within the video and the allowed lengths. */
export function moveEnd({ first }: Clip, frame: number, { total, shortest, longest }: ClipLimits): Clip {
  return { first, end: clamp(frame, Math.min(total, first + shortest), Math.min(total, first + longest)) }
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max)
}

/** Returns the parameters of a clip. Null stands for the default: the start, or the end of the video. */
export function clipParams({ first, end }: Clip, rate: number, total: number, hasEnd: boolean) {
  const start = timeOf(first, rate)
  const length = Math.round((timeOf(end, rate) - start) * 1000) / 1000
  return { start: first === 0 ? null : start, duration: end >= total && !hasEnd ? null : length }
}
