import type { Run } from '../../runtime/run.ts'
import type { Stream } from '../ffprobe.ts'
import { readFirstPacket } from './first-packet.ts'

/** Rates are averages: only files with more frames than their length explains by this much are checked. */
const SUSPECT_SECONDS = 0.05

/** Checks whether an edit list hides the first frames of a video, as in clips trimmed on a phone. */
export async function hidesStart(stream: Stream, path: string, run: Run): Promise<boolean> {
  const { nb_frames, avg_frame_rate, duration } = stream
  // Other containers have no edit list and do not count their frames.
  if (nb_frames == null || avg_frame_rate == null || duration == null) return false
  if (nb_frames / avg_frame_rate <= duration + SUSPECT_SECONDS) return false
  return (await readFirstPacket(stream.index, path, run)).is_discarded
}
