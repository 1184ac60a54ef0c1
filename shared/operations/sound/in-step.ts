/**
 * The aresample filter that keeps audio in step with its times: silence fills a late start and every gap of a frame
 * of video, where ffmpeg's own threshold of 0.1 s would let all that follows come early.
 * @param rate samples a second; null: the source's own.
 */
export function keepInStep(rate: number | null = null): string {
  return `aresample=${rate === null ? '' : `${rate}:`}async=1:min_hard_comp=0.04:first_pts=0`
}
