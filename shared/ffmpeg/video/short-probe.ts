import type { MediaProbe } from '../../planning/facts.ts'

/**
 * Limits ffmpeg's analysis of transport streams to 2.5 s; the default is five seconds. That usually finds the same
 * tracks and avoids downloading much of a large file.
 */
export const SHORT_PROBE = ['-analyzeduration', '2500000']

/** Returns options for an input whose tracks a short probe has found. */
export function probeOptions({ has_short_probe }: Pick<MediaProbe, 'has_short_probe'>): readonly string[] {
  return has_short_probe === true ? SHORT_PROBE : []
}
