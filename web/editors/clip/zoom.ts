/** Frames that fit beside each other at the width of a phone. */
const FRAMES_SHOWN = 150
const ZOOM_MAX = 128

/** Returns the largest zoom of a timeline, a power of two: at it, a pointer can choose each frame. */
export function zoomMax(frames: number): number {
  return Math.min(ZOOM_MAX, 2 ** Math.max(0, Math.ceil(Math.log2(frames / FRAMES_SHOWN))))
}
