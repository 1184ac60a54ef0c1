/**
 * The aresample filter that keeps audio in step with its times: silence fills a late start and gaps from 60 ms on. By
 * ffmpeg's own threshold of 0.1 s all that follows a shorter one would come early; less is the jitter of recorders.
 * @param rate samples a second; null: the source's own.
 */
export function keepInSync(rate: number | null = null): string {
  return `aresample=${rate === null ? '' : `${rate}:`}async=1:min_hard_comp=0.06:first_pts=0`
}

/**
 * A moment of silence in place of no audio at all: that of an empty track, or of a part behind the end of the audio.
 * Without any samples ffmpeg 7 cannot open the encoder, and with more than a frame of Opus ffmpeg 5.1 cannot.
 */
export const NEVER_EMPTY = 'apad=whole_len=64'
