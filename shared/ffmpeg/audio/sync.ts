/**
 * Returns the aresample filter that keeps audio in sync: silence fills a late start and gaps of at least 60 ms.
 * With ffmpeg's default of 100 ms, audio would play early after shorter gaps. Gaps below 60 ms are recorder jitter.
 * @param rate samples per second; null keeps the rate of the source.
 */
export function keepInSync(rate: number | null = null): string {
  return `aresample=${rate === null ? '' : `${rate}:`}async=1:min_hard_comp=0.06:first_pts=0`
}

/**
 * Pads empty audio (an empty track, or a clip beyond the end of one) with a short silence. ffmpeg 7 cannot open the
 * encoder without samples; ffmpeg 5.1 cannot open it with more than one Opus frame.
 */
export const NEVER_EMPTY = 'apad=whole_len=64'
