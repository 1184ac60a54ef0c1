import { refuseCopies } from '../../../shared/ffmpeg/cuts/smart-cut.ts'
import type { MediaProbe, VideoPackets } from '../../../shared/planning/facts.ts'
import type { Run } from '../../runtime/run.ts'
import { listCodedPackets } from './coded-packets.ts'

/** Almost five hours at 60 frames per second. */
const PACKETS_MAX = 1_000_000

/**
 * Lists all packets of a video (Facts, video_packets).
 * @throws Error if the machine ended ffmpeg.
 */
export async function measureVideoPackets(probe: MediaProbe, run: Run): Promise<VideoPackets | null> {
  const { timescale } = probe.video
  if (refuseCopies(probe) !== null || timescale === undefined) return null
  const packets = await listCodedPackets(probe, null, PACKETS_MAX, run)
  return packets === null ? null : { timescale, packets }
}
