import { RATE_RANGES } from '../compressed-video.ts'
import type { RateTarget } from '../edit.ts'

/** The accepted loss of `compress` at the level light. */
const LOSS_MAX = 0.003
const { h264, hevc } = RATE_RANGES

/** The quality of encodes whose callers cannot choose one. */
export const RATE_TARGETS = {
  default: { loss_max: LOSS_MAX, lowest: 22, highest: 27, scale: h264.scale },
  /** Callers who cut a clip did not ask for lower quality. */
  trim: { loss_max: 0.002, lowest: 20, highest: 25, scale: h264.scale },
  circle: { loss_max: LOSS_MAX, lowest: 24, highest: 29, scale: h264.scale },
  hevc: { loss_max: LOSS_MAX, lowest: 24, highest: 30, scale: hevc.scale },
  /** What about half of the clips in docs/quality.md lost with the former rate factor, which was 31. */
  vp9: { loss_max: 0.0045, lowest: 31, highest: 42, scale: { step: 1, growth: 0.073 } },
} as const satisfies Record<string, RateTarget>
