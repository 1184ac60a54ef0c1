/**
 * Returns the aresample filter that keeps audio in sync: silence fills a late start and gaps of at least 60 ms.
 * With ffmpeg's default of 100 ms, audio would play early after shorter gaps. Gaps below 60 ms are recorder jitter.
 * @param rate samples per second; null keeps the rate of the source.
 */
export function keepInSync(rate: number | null = null): string {
  return `aresample=${rate === null ? '' : `${rate}:`}async=1:min_hard_comp=0.06:first_pts=0`
}

/**
 * Pads empty audio (an empty track, or a clip past its end) with a short silence. Without samples, ffmpeg 7 cannot
 * open the encoder; with more than one Opus frame, ffmpeg 5.1 cannot.
 */
export const NEVER_EMPTY = 'apad=whole_len=64'
