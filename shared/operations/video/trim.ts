import { z } from 'zod'
import { similarVideo } from '../../ffmpeg/compressed-video.ts'
import { planCopy } from '../../ffmpeg/cuts/copy-part.ts'
import { cutProbe, isSlideShow } from '../../ffmpeg/cuts/cut.ts'
import type { Cut } from '../../ffmpeg/cuts/cut-range.ts'
import { encodeAll } from '../../ffmpeg/cuts/encode-all.ts'
import { findCut } from '../../ffmpeg/cuts/find-cut.ts'
import { planSmartCuts } from '../../ffmpeg/cuts/plan-smart-cut.ts'
import { preferCopy } from '../../ffmpeg/cuts/prefer-copy.ts'
import { chooseSmartCut, refuseSmartCut } from '../../ffmpeg/cuts/smart-cut.ts'
import { type VideoEdit, videoEdit } from '../../ffmpeg/edit.ts'
import { canCopyVideo, remuxContainer } from '../../ffmpeg/output/containers.ts'
import { RATE_TARGETS } from '../../ffmpeg/rate/targets.ts'
import { planVideoEdits } from '../../ffmpeg/render.ts'
import type { CutPackets, MediaProbe } from '../../planning/facts.ts'
import { defineOperation, type Plan } from '../../planning/operation.ts'
import { CutVideoBody } from '../../planning/result-body.ts'

const RATE = RATE_TARGETS.trim
const ENCODER = similarVideo('h264', { crf: RATE.lowest, preset: 'fast' })

/**
 * Extracts a part of a video. If it starts at 0 or `precise` is false, the trim is a remux, which may begin early,
 * at a keyframe. Otherwise, the part is exact to the frame: its ends are encoded and the rest is copied where the
 * video allows it; elsewhere, and within a pipeline, all of it is encoded at up to 1080p.
 * Contract: Video operations, Trim; Encoding, Remux.
 */
export const trim = defineOperation({
  service: 'video',
  key: 'trim',
  title: 'Trim video',
  description:
    'Cuts out a part of the video: exact to the frame, or without re-encoding at the nearest keyframe.',
  credits: 2,
  accepts: ['video'],
  family: null,
  facts: ['probe', 'lead_seconds', 'cut_packets'],
  parameters: z.object({
    start: z.number().min(0).default(0).describe('Start of the clip in seconds'),
    duration: z
      .number()
      .min(0.001)
      .optional()
      .describe('Duration of the clip in seconds. Default: to the end'),
    precise: z
      .boolean()
      .default(true)
      .describe(
        'true cuts at the exact frame and re-encodes what that needs; false copies from the keyframe at or before start. From start 0 the clip is always copied, and may end a few frames late. In pipelines, and for videos below 10 frames per second, cuts are always exact',
      ),
  }),
  presets: [
    { label: 'First 10 seconds', params: { start: 0, duration: 10 } },
    { label: 'First minute', params: { start: 0, duration: 60 } },
    { label: 'Skip 5 seconds without re-encoding', params: { start: 5, precise: false } },
  ],
  result_body: CutVideoBody,
  unneededFacts({ start, precise }) {
    if (start === 0) return ['lead_seconds', 'cut_packets']
    return precise ? ['lead_seconds'] : ['cut_packets']
  },
  edit({ params, facts: { probe } }) {
    const cut = findCut(params, probe)
    return 'refused' in cut ? cut : cutEdit(probe, cut)
  },
  plan({ params, facts: { probe, lead_seconds, cut_packets } }) {
    const cut = findCut(params, probe)
    if ('refused' in cut) return cut
    const ends_in_time = cut.to_end === true || !isSlideShow(probe.video)
    // A copy that ends before the first frame would contain none.
    const has_frames = cut.start + cut.seconds > (probe.video.start_seconds ?? 0)
    const can_copy = ends_in_time && has_frames && canCopyVideo(probe, remuxContainer(probe))
    if (can_copy && cut.start === 0) return planCopy(probe, cut, 0)
    // A copy that begins before the start declared by the edit list would show frames that the list hides.
    const shows_hidden = probe.hides_start === true && lead_seconds > cut.start
    if (can_copy && !params.precise && !shows_hidden) return planCopy(probe, cut, lead_seconds)
    return planPrecise(probe, cut, cut_packets)
  },
})

function planPrecise(probe: MediaProbe, cut: Cut, cut_packets: CutPackets | null): Plan {
  const edit = cutEdit(probe, cut)
  const full = planVideoEdits([edit], probe, { stem: 'trimmed' })
  if (full.encode_mode !== 'encode' && full.encode_mode !== 'audio_copy') return full
  // Without packets, they have no usable timestamps.
  const smart = refuseSmartCut(probe, cut) ?? (cut_packets && chooseSmartCut(probe, cut, cut_packets))
  if (smart === null || typeof smart === 'string') return encodeAll(full, smart ?? 'timestamps')
  return preferCopy(probe, planSmartCuts(probe, [{ ...smart, at: 0 }], edit, full), full)
}

function cutEdit(probe: MediaProbe, cut: Cut): VideoEdit {
  if (cut.start === 0 && cut.to_end) return videoEdit(probe, {})
  return videoEdit(probe, {
    cut,
    encoding: { video: ENCODER, rate: RATE },
    after: cutProbe(cut, probe),
  })
}
