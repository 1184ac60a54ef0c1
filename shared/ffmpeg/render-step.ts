import type { MediaProbe } from '../planning/facts.ts'
import type { FfmpegStep } from '../planning/steps.ts'
import { FIXED_AUDIO_GRAPH } from './audio/uniform-audio.ts'
import { readWithFallbacks } from './cuts/source.ts'
import type { VideoEdit } from './edit.ts'
import {
  type AudioPad,
  applySeek,
  type PreparedEdit,
  renderAudioTracks,
  renderVideo,
  type SourceRead,
  seeksOf,
} from './graph.ts'
import { containerOptions } from './output/containers.ts'
import { keepMetadata } from './output/metadata.ts'
import { nameTracks, writeAudio, writeCover, writeSubtitles, writeVideo } from './output/streams.ts'
import type { Treatment } from './output/treatment.ts'
import { planRateSearch } from './rate/plan-rate-search.ts'
import { keepAlphaTag } from './video/alpha.ts'
import { normalizeFrames } from './video/normalize-frames.ts'

/** Renders the whole result in one ffmpeg run. */
export function renderStep(
  edits: readonly PreparedEdit[],
  probe: MediaProbe,
  treatment: Treatment,
  source: string,
  file: string,
): FfmpegStep {
  const after = edits.at(-1)?.after ?? probe
  return {
    kind: 'ffmpeg',
    // A seek may land after the required keyframe; fallbacks read from earlier positions.
    ...readWithFallbacks(seeksOf(edits, probe), (start) =>
      readSource(applySeek(edits, start), probe, treatment, source),
    ),
    output: {
      file,
      options: [
        ...writeVideo(probe, after, treatment),
        ...writeAudio(audioPads(edits, probe, treatment), treatment),
        ...(edits.some(({ subtitles }) => subtitles === 'none')
          ? []
          : [...writeSubtitles(probe, treatment), ...writeCover(probe, treatment)]),
        ...resultOptions(edits, probe, treatment, file),
        ...(treatment.video === 'copy' ? keepAlphaTag(probe.video, treatment.container) : []),
      ],
    },
    ...(Array.isArray(treatment.audio) && { audio_tracks: treatment.tracks.map(({ index }) => index) }),
    ...rateSearch(edits, probe, treatment, source),
    output_duration_seconds: after.duration_seconds,
  }
}

/** Returns the search for a rate factor, if the encoder has a target and the video and its edits are suitable. */
function rateSearch(
  edits: readonly PreparedEdit[],
  probe: MediaProbe,
  { video, rate, container }: Treatment,
  source: string,
): Pick<FfmpegStep, 'rate_search'> {
  if (rate === undefined || video === 'copy') return {}
  const rate_search = planRateSearch(rate, edits, probe, { options: video, container }, source)
  return rate_search === null ? {} : { rate_search }
}

/** Returns the output options that do not depend on how the video was made: names, chapters, metadata. */
export function resultOptions(
  edits: readonly VideoEdit[],
  probe: MediaProbe,
  treatment: Treatment,
  file: string,
): string[] {
  const drops_metadata = dropsMetadata(edits)
  return [
    ...(drops_metadata ? [] : nameTracks(treatment)),
    ...(keepsTimes(edits, probe) ? [] : ['-map_chapters', '-1']),
    ...containerOptions(file),
    ...(drops_metadata ? [] : keepMetadata(probe, treatment.container)),
    ...edits.flatMap((edit) => edit.options),
  ]
}

/** Returns the inputs and the graph that renders them to the output pads. */
export function readSource(
  { seek, edits, reads_seconds }: SourceRead,
  probe: MediaProbe,
  treatment: Treatment,
  source: string,
): Pick<FfmpegStep, 'inputs' | 'filter_graph'> {
  const copies = treatment.video === 'copy'
  const files = edits.flatMap((edit) =>
    edit.files.map(({ file, options }) => ({ file, options: [...options] })),
  )
  const graph = [
    ...(copies ? [] : renderVideo(edits, probe)),
    ...audioPads(edits, probe, treatment).map(({ part }) => part),
  ]
  const read = [
    // AVI and similar containers store no presentation timestamps, which other containers require.
    ...(copies ? ['-fflags', '+genpts'] : normalizeFrames(probe).options),
    ...(Array.isArray(treatment.audio) ? FIXED_AUDIO_GRAPH : []),
  ]
  return {
    inputs: [{ file: source, options: [...read, ...seek], reads_seconds }, ...files],
    filter_graph: graph.length === 0 ? null : graph.join(';'),
  }
}

export function audioPads(
  edits: readonly PreparedEdit[],
  probe: MediaProbe,
  { audio, tracks }: Treatment,
): AudioPad[] {
  return Array.isArray(audio) ? renderAudioTracks(edits, probe, tracks) : []
}

/** Checks whether timestamps are unchanged, so chapters stay valid: no cut, truncation or speed change. */
function keepsTimes(edits: readonly VideoEdit[], probe: MediaProbe): boolean {
  if (probe.missing_seconds !== undefined) return false
  return edits.every(({ cut, after }) => cut === null && after.duration_seconds === probe.duration_seconds)
}

export function dropsMetadata(edits: readonly Pick<VideoEdit, 'options'>[]): boolean {
  return edits.some(({ options }) => options.includes('-map_metadata'))
}
