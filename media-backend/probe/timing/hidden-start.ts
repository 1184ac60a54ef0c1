import type { MediaProbe } from '../../../shared/planning/facts.ts'
import type { Run } from '../../runtime/run.ts'
import type { Stream } from '../ffprobe.ts'
import { readFirstPacket, readPackets } from './first-packet.ts'

/**
 * Frame rates are averages, so a file is checked only if its frames would play for this much longer than its
 * duration.
 */
const SUSPECT_SECONDS = 0.05

/** Maximum number of packets to read, starting at the last keyframe before the end. */
const LAST_PACKETS_MAX = 1000

/** Checks whether an edit list hides the first or last frames of a video, as in clips trimmed on a phone. */
export async function findHidden(
  stream: Stream,
  path: string,
  run: Run,
): Promise<Pick<MediaProbe, 'hides_start' | 'hides_end'>> {
  const { nb_frames, avg_frame_rate, duration, start_time, index } = stream
  // Other containers have no edit list and do not count their frames.
  if (nb_frames == null || avg_frame_rate == null || duration == null) return {}
  if (nb_frames / avg_frame_rate <= duration + SUSPECT_SECONDS) return {}
  const first = await readFirstPacket(index, path, run)
  const end = (start_time ?? 0) + duration
  const last = await readPackets(index, `${end}%+#${LAST_PACKETS_MAX}`, path, run)
  return {
    ...(first.is_discarded && { hides_start: true }),
    ...(last.at(-1)?.is_discarded && { hides_end: true }),
  }
}
