import { z } from 'zod'
import { refuseWithoutSpeech } from '../../captions/transcript.ts'
import { gridRateOf, hasVariableRate, rateFilter } from '../../ffmpeg/cuts/cut.ts'
import { encodeAll } from '../../ffmpeg/cuts/encode-all.ts'
import { chooseKeptCuts } from '../../ffmpeg/cuts/kept-cuts.ts'
import { planSmartCuts } from '../../ffmpeg/cuts/plan-smart-cut.ts'
import { preferCopy } from '../../ffmpeg/cuts/prefer-copy.ts'
import { refuseCopies } from '../../ffmpeg/cuts/smart-cut.ts'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { chain, videoEdit, withRate, withSize } from '../../ffmpeg/edit.ts'
import { encodedSize } from '../../ffmpeg/filters.ts'
import { playedAudio } from '../../ffmpeg/played-audio.ts'
import type { Facts } from '../../planning/facts.ts'
import { CutVideoBody } from '../../planning/result-body.ts'
import { keepAudio, keepVideo } from '../../speech/cut-graph.ts'
import { type CutOptions, type Cuts, cutSpeech, gridRate } from '../../speech/cuts.ts'
import { Language, Quality } from '../../speech/languages.ts'
import { orderWords } from '../../speech/words.ts'

/**
 * Removes pauses, filler words and repeated takes from a talk. Most of the video is copied where the kept ranges are long
 * enough (Contract: Video operations, Trim).
 */
export const auto_edit = defineVideoEdit({
  key: 'auto_edit',
  stem: 'edited',
  title: 'Auto edit',
  description: 'Removes pauses, filler words and repeated takes. Video and audio stay in sync.',
  credits: 7,
  family: null,
  facts: ['probe', 'transcript', 'silences', 'video_packets'],
  parameters: z.object({
    language: Language,
    max_pause: z
      .number()
      .min(0.2)
      .max(5)
      .default(0.7)
      .describe('Longest pause to keep unchanged, in seconds'),
    keep_pause: z
      .number()
      .min(0)
      .max(2)
      .default(0.3)
      .describe('Length to which longer pauses are shortened, in seconds'),
    padding: z
      .number()
      .min(0)
      .max(1)
      .default(0.1)
      .describe('Padding kept before and after each word at a cut, in seconds'),
    remove_fillers: z.boolean().default(true).describe('Removes um, uh and similar fillers'),
    remove_retakes: z
      .boolean()
      .default(false)
      .describe('Removes phrases that are repeated right away; keeps the last take'),
    quality: Quality,
  }),
  presets: [
    { label: 'Gentle', params: { max_pause: 1.2, keep_pause: 0.5, padding: 0.2 } },
    { label: 'Balanced', params: {} },
    { label: 'Tight, for social media', params: { max_pause: 0.35, keep_pause: 0.12, padding: 0.05 } },
    { label: 'Raw recording with retakes', params: { remove_retakes: true } },
  ],
  result_body: CutVideoBody.extend({
    cuts: z
      .int()
      .min(0)
      .describe('Number of cuts')
      .meta({ examples: [9] }),
    pauses: z
      .int()
      .min(0)
      .describe('Number of pauses that were shortened')
      .meta({ examples: [6] }),
    fillers: z
      .int()
      .min(0)
      .describe('Number of filler words that were removed')
      .meta({ examples: [3] }),
    retakes: z
      .int()
      .min(0)
      .describe('Number of repeated takes that were removed')
      .meta({ examples: [0] }),
    removed_seconds: z
      .number()
      .min(0)
      .describe('Seconds of the input that were removed')
      .meta({ examples: [7.25] }),
    language: z
      .string()
      .describe('Language of the recognized words, as an ISO 639-1 code')
      .meta({ examples: ['en'] }),
  }),
  edit({ params, facts: { probe, transcript, silences } }) {
    const refusal = refuseWithoutSpeech(probe.audio, transcript)
    if (refusal !== null) return refusal
    const { duration_seconds, video } = probe
    const { language } = transcript
    const cuts = cutTalk({ probe, transcript, silences }, params)
    const rate = gridRate(gridRateOf(video))
    const kept_seconds = cuts.keep.reduce((sum, { start, end }) => sum + end - start, 0)
    const resized = withRate(withSize(probe, encodedSize(video)), rate)
    return videoEdit(probe, {
      tracks: 'played',
      video: keepVideo(cuts.keep, rate),
      samples: { video: chain(rateFilter(rate)), keep: cuts.keep },
      audio: keepAudio(cuts.keep),
      body: {
        cuts: cuts.pauses + cuts.fillers + cuts.retakes,
        pauses: cuts.pauses,
        fillers: cuts.fillers,
        retakes: cuts.retakes,
        removed_seconds: Math.round((duration_seconds - kept_seconds) * 1000) / 1000,
        language,
      },
      after: {
        ...resized,
        duration_seconds: kept_seconds,
        audio: playedAudio(probe.audio),
        video: { ...resized.video, duration_seconds: null },
      },
    })
  },
  copy({ params, facts }, edit, full) {
    const { probe, video_packets } = facts
    const refusal = refuseCopies(probe)
    if (refusal !== null) return encodeAll(full, refusal)
    const { video } = probe
    const rate = gridRateOf(video)
    const lacks_frames = hasVariableRate(video) && video.base_rate !== undefined
    if (gridRate(rate) !== rate || lacks_frames) return encodeAll(full, 'frame_rate')
    // Without packets, they have no usable timestamps.
    if (video_packets == null) return encodeAll(full, 'timestamps')
    const cuts = chooseKeptCuts(probe, cutTalk(facts, params).keep, video_packets)
    if (cuts === null) return encodeAll(full, 'too_little')
    return preferCopy(probe, planSmartCuts(probe, cuts, edit, full), full)
  },
})

function cutTalk(
  { probe, transcript, silences }: Pick<Facts, 'probe' | 'transcript' | 'silences'>,
  params: Omit<CutOptions, 'language'>,
): Cuts {
  const { duration_seconds, video } = probe
  const words = orderWords(transcript.words, duration_seconds)
  const { language } = transcript
  const frames_per_second = gridRateOf(video)
  return cutSpeech(words, silences, { duration_seconds, frames_per_second }, { ...params, language })
}
