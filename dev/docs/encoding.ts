import { readStages } from '../../edge/jobs/rules/pipeline.ts'
import { LinkInfo } from '../../shared/links/info.ts'
import { exampleParams } from '../../shared/operations/examples.ts'
import { OPERATIONS } from '../../shared/operations/index.ts'
import type { AssetFacts, Facts, MediaProbe } from '../../shared/planning/facts.ts'
import type { EncodeMode, Operation } from '../../shared/planning/operation.ts'
import { assetKey, planPipeline, type Stage } from '../../shared/planning/pipeline.ts'
import { sampleImage, sampleProbe, sampleTranscript } from '../../shared/planning/sample-facts.ts'

const ASSET: AssetFacts = { file: 'asset', width: 400, height: 200, duration_seconds: 5, channels: 2 }

const OPUS = { container: 'matroska,webm', audio: [{ index: 1, codec: 'opus', channels: 2 }] }

/** An MP4, a WebM, and a file that mixes their codecs, which cannot be copied into every container. */
const PROBES = [sampleProbe(), sampleProbe(OPUS, { codec: 'vp9' }), sampleProbe(OPUS)]

/**
 * Finds an operation's encode modes by planning its defaults, presets, and example. Returns several modes if the
 * parameters or the input decide, and none if the operation writes no video or audio.
 */
export function encodeModesOf(operation: Operation): EncodeMode[] {
  const settings = [{}, exampleParams(operation), ...operation.presets.map(({ params }) => params)]
  const plans = settings.flatMap((params) => {
    const read = readStages(operation, params, OPERATIONS)
    return 'refused' in read
      ? []
      : PROBES.map((probe) => planPipeline(read.stages, factsFor(read.stages, probe)))
  })
  const modes = plans.flatMap((plan) => ('refused' in plan ? [] : [plan.encode_mode]))
  if (modes.length === 0) throw new Error(`${operation.service}/${operation.key} has no example that plans`)
  return [...new Set(modes)].filter((mode) => mode !== null)
}

function factsFor(stages: readonly Stage[], probe: MediaProbe): Facts {
  const assets = stages.flatMap(({ operation, params }, index) =>
    (operation.assets?.(params) ?? []).map(({ name }) => [assetKey(index, name), ASSET] as const),
  )
  return {
    probe,
    image: sampleImage(),
    assets: Object.fromEntries(assets),
    transcript: sampleTranscript(),
    silences: [],
    lead_seconds: 0,
    cut_packets: null,
    video_packets: null,
    loudness: [{ source_lufs: -24, noise_dbfs: -60, filtered: { integrated_lufs: -26, true_peak_dbtp: -6 } }],
    link: { info: LinkInfo.parse({ title: 'A video' }), fetched_at: '2026-01-01T00:00:00Z', media: probe },
  }
}
