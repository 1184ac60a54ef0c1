import type { VideoTrack } from '../../planning/facts.ts'

const ALPHA_FORMAT = /^(yuva|gbrap|rgba|bgra|argb|abgr|ya)/

/** Says in `result.body` of what is encoded or drawn that the video's transparency is lost. */
export function alphaLoss({ has_alpha, pixel_format }: VideoTrack): { alpha_dropped?: true } {
  return has_alpha === true || ALPHA_FORMAT.test(pixel_format) ? { alpha_dropped: true } : {}
}
