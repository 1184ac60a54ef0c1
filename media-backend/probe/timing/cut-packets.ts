import { gridRateOf } from '../../../shared/ffmpeg/cuts/cut.ts'
import type { Cut } from '../../../shared/ffmpeg/cuts/cut-range.ts'
import { findCut } from '../../../shared/ffmpeg/cuts/find-cut.ts'
import { findCopyStart, headSecondsMax, refuseSmartCut } from '../../../shared/ffmpeg/cuts/smart-cut.ts'
import type { CutPacket, CutPackets, MediaProbe } from '../../../shared/planning/facts.ts'
import type { Run } from '../../runtime/run.ts'
import { listCodedPackets } from './coded-packets.ts'
import { CutParams } from './lead.ts'

/** More packets than ordinary files have between a keyframe and the end of a cut. */
const PACKETS_MAX = 15_000
/** A list of fewer packets did not end at the limit. Keyframes count twice there. */
const COMPLETE_MAX = PACKETS_MAX / 2
/** Reading of the start ends here if decoding can start before. */
const NEAR_SECONDS = 12
/** Reading starts this many frames before the end of the cut. */
const BEFORE_FRAMES = 1.5
/** Reading continues this long after the end of the cut, to see frames that are decoded late. */
const AFTER_SECONDS = 1

/**
 * Lists the packets around the ends of a cut (Facts, cut_packets) without decoding any.
 * @throws Error if the machine ended ffmpeg.
 */
export async function measureCutPackets(
  probe: MediaProbe,
  params: Record<string, unknown>,
  run: Run,
): Promise<CutPackets | null> {
  const cut = findCut(CutParams.parse(params), probe)
  if ('refused' in cut || refuseSmartCut(probe, cut) !== null) return null
  const end_seconds = cut.start + cut.seconds
  // A keyframe exactly at the end of the cut is no longer part of it.
  const before_end = Math.max(0, end_seconds - BEFORE_FRAMES / gridRateOf(probe.video))
  const [start, end] = await Promise.all([
    listStart(probe, cut, run),
    cut.to_end
      ? []
      : listCodedPackets(probe, { from: before_end, to: end_seconds + AFTER_SECONDS }, PACKETS_MAX, run),
  ])
  const { timescale } = probe.video
  if (start === null || end === null || timescale === undefined) return null
  return { timescale, start, end, reaches_end: end.length < COMPLETE_MAX }
}

/** Lists the packets up to the first copied one. Few videos have it so late that more than the first seconds are read. */
async function listStart(probe: MediaProbe, cut: Cut, run: Run): Promise<CutPacket[] | null> {
  const latest = headSecondsMax(cut)
  for (const seconds of latest > NEAR_SECONDS ? [NEAR_SECONDS, latest] : [latest]) {
    const packets = await listCodedPackets(
      probe,
      { from: cut.start, to: cut.start + seconds },
      PACKETS_MAX,
      run,
    )
    if (packets === null) return null
    const found = findCopyStart(probe, cut, packets, probe.video.timescale ?? 0)
    if (typeof found !== 'string') return endAtCopy(packets, found.copied)
    if (seconds === latest) return packets
  }
  return null
}

/** Drops the packets after the first copied one, but not those that are displayed before it. */
function endAtCopy(packets: CutPacket[], copied: CutPacket): CutPacket[] {
  const after = packets.findIndex(({ pts, dts }) => dts > copied.dts && pts > copied.pts)
  return after < 0 ? packets : packets.slice(0, after)
}
