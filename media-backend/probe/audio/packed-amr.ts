import type { Run } from '../../runtime/run.ts'
import type { Stream } from '../ffprobe.ts'
import { readFirstPacket } from '../timing/first-packet.ts'

/** Maximum frame size of each codec in bytes, including the frame header. */
const FRAME_BYTES_MAX: Partial<Record<string, number>> = { amr_nb: 32, amr_wb: 61 }

/**
 * Finds AMR tracks with several frames per packet. ffmpeg 5.1 decodes only the first frame of each packet. The
 * header is no help, because some writers count frames and others count chunks.
 * @returns the track indices.
 */
export async function findPackedAmr(
  streams: readonly Stream[],
  path: string,
  run: Run,
): Promise<ReadonlySet<number>> {
  const packed = new Set<number>()
  for (const { index, codec_name } of streams) {
    const bytes_max = FRAME_BYTES_MAX[codec_name]
    if (bytes_max === undefined) continue
    const { size } = await readFirstPacket(index, path, run)
    if (size > bytes_max) packed.add(index)
  }
  return packed
}
