import { z } from 'zod'
import { type VideoEdit, videoEdit } from '../edit.ts'
import type { MediaProbe } from '../facts.ts'
import { ffmpegSeconds, mapTracks, webVideo } from '../filters.ts'
import { defineOperation, type Plan, type PlanRefusal } from '../operation.ts'
import { KEYFRAME_SECONDS } from '../reading.ts'
import { type FfmpegInput, type FfmpegStep, SOURCE } from '../steps.ts'
import { BY_INPUT_TIMES, indexPart } from './blind-copy.ts'
import { containerOptions, copiedTracks, isIndexed, pictureTag, remuxContainer } from './containers.ts'
import { type Cut, cutProbe } from './cut.ts'
import { keepMetadata } from './metadata.ts'
import { refuseBeyondEnd } from './moments.ts'
import { planVideoEdits } from './render.ts'

/** Hardly to be told from the source: who cuts a clip did not ask for a smaller one. */
const QUALITY = { crf: 18, preset: 'fast' }

const INDEXED = 'indexed'

/**
 * Videos, a part of them. Specification, Encoding behaviour: from 0 or with precise false a remux,
 * which may begin early, at a keyframe; else encoded anew, exact to the frame, at most 1080p. As one of
 * several operations it is always exact.
 */
export const trim = defineOperation({
  service: 'video',
  key: 'trim',
  title: 'Trim video',
  description: 'Cuts out a part: exact to the frame, or at once and without loss at the nearest keyframe.',
  credits: 2,
  accepts: ['video'],
  family: null,
  facts: ['probe'],
  parameters: z.object({
    start: z.number().min(0).default(0).describe('Where the part begins, in seconds'),
    duration: z.number().min(0.001).optional().describe('Length of the part in seconds; omitted, to the end'),
    precise: z
      .boolean()
      .default(true)
      .describe(
        'Exact to the frame, encoded anew; false copies from the keyframe at or before start. From 0 it is a copy ' +
          'in any case, whose end may be a few frames late; before or after other operations it is always exact',
      ),
  }),
  presets: [
    { label: 'First 10 seconds', params: { start: 0, duration: 10 } },
    { label: 'First minute', params: { start: 0, duration: 60 } },
    { label: 'Skip 5 seconds, without loss', params: { start: 5, precise: false } },
  ],
  edit({ params, facts: { probe } }) {
    const cut = findCut(params, probe)
    return 'refused' in cut ? cut : cutEdit(probe, cut)
  },
  plan({ params, facts: { probe } }) {
    const cut = findCut(params, probe)
    if ('refused' in cut) return cut
    if (cut.start === 0 || !params.precise) return planRemux(probe, cut)
    return planVideoEdits([cutEdit(probe, cut)], probe, { stem: 'trimmed' })
  },
})

function findCut(params: { start: number; duration?: number }, probe: MediaProbe): Cut | PlanRefusal {
  const { start } = params
  const rest = probe.duration_seconds - start
  if (start > 0 && rest <= 0) {
    return refuseBeyondEnd('start', start, probe.duration_seconds)
  }
  const seconds = Math.min(params.duration ?? rest, rest)
  return { start, seconds, to_end: seconds === rest }
}

function cutEdit(probe: MediaProbe, cut: Cut): VideoEdit {
  if (cut.start === 0 && cut.to_end) return videoEdit(probe, {})
  return videoEdit(probe, {
    cut,
    encoding: { picture: webVideo(QUALITY) },
    after: cutProbe(cut, probe),
  })
}

/** Copies whole packets from the keyframe at or before the start up to the end that was asked for. */
function planRemux(probe: MediaProbe, cut: Cut): Plan {
  const container = remuxContainer(probe)
  const tracks = [
    ...mapTracks(copiedTracks(probe, container)),
    ...pictureTag(probe.video.codec, container),
    ...keepMetadata(probe, container),
  ]
  const reads_seconds = cut.seconds + KEYFRAME_SECONDS
  if (cut.start === 0) {
    const input = { file: SOURCE, options: [], reads_seconds }
    return planOf([copyStep(input, `trimmed.${container}`, cut.seconds, [...tracks, ...endOf(cut)])])
  }
  const seek = ['-ss', ffmpegSeconds(cut.start)]
  // Otherwise an MP4 hides what lies before the start, and the sound of players that show it slips.
  const shift = ['-avoid_negative_ts', 'make_zero']
  if (isIndexed(probe)) {
    const options = [...tracks, ...endOf(cut), ...shift]
    const input = { file: SOURCE, options: seek, reads_seconds }
    return planOf([copyStep(input, `trimmed.${container}`, cut.seconds, options)])
  }
  const indexed = `${INDEXED}.${container}`
  const again = ['-map', '0', ...pictureTag(probe.video.codec, container), ...keepMetadata(probe, container)]
  return planOf([
    indexPart(probe, cut, indexed, tracks),
    copyStep({ file: indexed, options: [...BY_INPUT_TIMES, ...seek] }, `trimmed.${container}`, cut.seconds, [
      ...[...again, ...endOf(cut), ...shift],
    ]),
  ])
}

/** To the end means all there is: a measured length may miss the last packet. */
function endOf(cut: Cut): string[] {
  return cut.to_end ? [] : ['-t', ffmpegSeconds(cut.seconds)]
}

function copyStep(input: FfmpegInput, output: string, seconds: number, output_options: string[]): FfmpegStep {
  return {
    kind: 'ffmpeg',
    // AVI and the like carry no presentation times; other containers want them.
    inputs: [{ ...input, options: ['-fflags', '+genpts', ...input.options] }],
    filter_graph: null,
    output: { file: output, options: [...output_options, '-c', 'copy', ...containerOptions(output)] },
    output_duration_seconds: seconds,
  }
}

/** The last step leaves the result. */
function planOf(steps: [FfmpegStep, ...FfmpegStep[]]): Plan {
  const last = steps.at(-1) ?? steps[0]
  return { encode_mode: 'remux', steps, outputs: [{ file: last.output.file }] }
}
