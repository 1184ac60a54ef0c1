import type { MediaProbe } from '../../planning/facts.ts'

/**
 * ffmpeg looks at the first five seconds of a transport stream to know its tracks: of a large one, read by ranges,
 * that alone is a good part. Half of them mostly tell the same.
 */
export const SHORT_PROBE = ['-analyzeduration', '2500000']

/** Before an input that is known to be told by a short look. */
export function probeOptions({ has_short_probe }: Pick<MediaProbe, 'has_short_probe'>): readonly string[] {
  return has_short_probe === true ? SHORT_PROBE : []
}
