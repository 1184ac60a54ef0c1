import type { Run } from '../../runtime/run.ts'
import type { Stream } from '../ffprobe.ts'
import { readFirstPacket } from './first-packet.ts'

/** Rates are averages: a file with so many seconds of frames more than it is long is looked at. */
const SUSPECT_SECONDS = 0.05

/** Checks whether an edit list hides the first frames of a video, as in clips that were trimmed on a phone. */
export async function hidesStart(stream: Stream, path: string, run: Run): Promise<boolean> {
  const { nb_frames, avg_frame_rate, duration } = stream
  // Other containers have no edit list, and do not count their frames like that.
  if (nb_frames == null || avg_frame_rate == null || duration == null) return false
  if (nb_frames / avg_frame_rate <= duration + SUSPECT_SECONDS) return false
  return (await readFirstPacket(stream.index, path, run)).is_discarded
}
