import type { AssetFacts, CutPacket, CutPackets, Facts } from '../../../shared/planning/facts.ts'
import { assetKey, type Stage } from '../../../shared/planning/pipeline.ts'
import { sampleFacts, sampleLink, sampleProbe } from '../../../shared/planning/sample-facts.ts'

/** Logos, soundtracks and subtitle files of a job, which cost little time. */
const ASSET: AssetFacts = {
  file: 'asset',
  width: 400,
  height: 400,
  duration_seconds: 60,
  channels: 2,
  text: '1\n00:00:00,000 --> 00:00:01,000\nText\n',
}

const FRAMES_PER_SECOND = 30
const KEYFRAME_FRAMES = 60

/**
 * Returns the facts of a typical video of this length: H.264 of 1080p with 30 frames per second, a keyframe every two
 * seconds, and stereo audio.
 */
export function typicalFacts(stages: readonly [Stage, ...Stage[]], duration_seconds: number): Facts {
  const track = {
    frames_per_second: FRAMES_PER_SECOND,
    timescale: FRAMES_PER_SECOND,
    coding: { profile: 'High', level: 40 },
  }
  const probe = sampleProbe({ duration_seconds }, track)
  const link = { ...sampleLink({ duration: duration_seconds }), media: probe }
  const cut_packets = packetsOfCut(stages[0].params, duration_seconds)
  return sampleFacts({ probe, link, cut_packets, assets: assetsOf(stages) })
}

/** Returns the packets around the ends of the part that `start` and `duration` cut out. */
function packetsOfCut({ start, duration }: Record<string, unknown>, length_seconds: number): CutPackets {
  const from = typeof start === 'number' ? start : 0
  const to = Math.min(length_seconds, typeof duration === 'number' ? from + duration : length_seconds)
  return {
    ...{ timescale: FRAMES_PER_SECOND, reaches_end: true },
    ...{ start: packetsAround(from), end: packetsAround(to) },
  }
}

/** Returns the frames between the keyframe before a time and the keyframe after it. */
function packetsAround(seconds: number): CutPacket[] {
  const first = Math.floor((seconds * FRAMES_PER_SECOND) / KEYFRAME_FRAMES) * KEYFRAME_FRAMES
  return Array.from({ length: KEYFRAME_FRAMES + 1 }, (_, index) => ({
    dts: first + index,
    pts: first + index,
    can_start: index % KEYFRAME_FRAMES === 0,
  }))
}

function assetsOf(stages: readonly Stage[]): Record<string, AssetFacts> {
  const named = stages.flatMap(({ operation, params }, index) =>
    (operation.assets?.(params) ?? []).map(({ name }) => [assetKey(index, name), ASSET] as const),
  )
  return Object.fromEntries(named)
}
