import type { VideoTrack } from '../../planning/facts.ts'
import type { VideoContainer } from '../output/containers.ts'

const ALPHA_FORMAT = /^(yuva|gbrap|rgba|bgra|argb|abgr|ya)/

/** Reports in `result.body` that encoding or drawing loses the transparency of the video. */
export function alphaLoss({ has_alpha, pixel_format }: VideoTrack): { alpha_dropped?: true } {
  return has_alpha === true || ALPHA_FORMAT.test(pixel_format) ? { alpha_dropped: true } : {}
}

const MATROSKA: readonly VideoContainer[] = ['mkv', 'webm']

/** Reports the same loss for a copied track: only Matroska supports the alpha layer of VP8 and VP9. */
export function copiedAlphaLoss(
  { has_alpha }: VideoTrack,
  container: VideoContainer,
): { alpha_dropped?: true } {
  return has_alpha === true && !MATROSKA.includes(container) ? { alpha_dropped: true } : {}
}

/** Writes the tag that makes players show the alpha layer, for copies that drop all other tags. */
export function keepAlphaTag({ has_alpha }: VideoTrack, container: VideoContainer): string[] {
  return has_alpha === true && MATROSKA.includes(container) ? ['-metadata:s:v:0', 'alpha_mode=1'] : []
}
