import { z } from 'zod'
import { keepInSync } from '../../ffmpeg/audio/sync.ts'
import { constantRateFilters, gridRateOf, hasVariableRate, rateFilter } from '../../ffmpeg/cuts/cut.ts'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { chain, videoEdit, withRate } from '../../ffmpeg/edit.ts'
import { FINE_TIMES } from '../../ffmpeg/filters.ts'
import type { VideoTrack } from '../../planning/facts.ts'

/** Range in which a single atempo filter sounds good; larger changes chain several filters. */
const TEMPO = { min: 0.5, max: 2 }
/**
 * Sample format for atempo, which mixes overlapping waveforms. With 8-bit samples, rounding would change the level.
 */
const TEMPO_SAMPLES = 'aformat=sample_fmts=flt'
/** A sped-up video is limited to the frame rate of its source or to this rate, whichever is higher. */
const RATE_KEPT = 30
const RATE_MAX = 120
/** Minimum frame rate for slideshows and variable-frame-rate recordings. */
const VARIABLE_RATE_MIN = 10

/** Changes the playback speed (Contract: Video operations, Full re-encode). */
export const speed = defineVideoEdit({
  key: 'speed',
  stem: 'speed',
  title: 'Change speed',
  description: 'Changes the playback speed; voices keep their pitch.',
  credits: 3,
  family: null,
  facts: ['probe'],
  parameters: z.object({
    factor: z
      .number()
      .min(0.1)
      .max(10)
      .default(2)
      .describe('Speed factor: 2 plays twice as fast, 0.5 at half speed'),
  }),
  presets: [
    { label: 'Slow motion: half speed', params: { factor: 0.5 } },
    { label: 'Lecture: 1.5x', params: { factor: 1.5 } },
    { label: 'Double speed', params: { factor: 2 } },
    { label: 'Time lapse: 10x', params: { factor: 10 } },
  ],
  edit({ params, facts: { probe } }) {
    const factor = Number(params.factor.toFixed(6))
    const rate = frameRate(probe.video, factor)
    const sped = {
      ...probe,
      duration_seconds: probe.duration_seconds / factor,
      video: { ...probe.video, duration_seconds: null },
    }
    return videoEdit(probe, {
      video: chain(...changeTimes(factor), ...constantRateFilters(sped, rate)),
      samples: { video: chain(...changeTimes(factor), rateFilter(rate)), speed: factor },
      // atempo keeps the start time of the audio and closes gaps, so gaps are filled with silence first.
      audio: chain(keepInSync(), TEMPO_SAMPLES, ...tempos(factor).map((tempo) => `atempo=${tempo}`)),
      after: withRate(sped, rate),
    })
  },
})

/**
 * The time base of a file or of the fps filter can be a whole frame. Without a finer one, the quotient would be rounded
 * to it.
 */
function changeTimes(factor: number): string[] {
  return [FINE_TIMES, `setpts=PTS/${factor}`]
}

function frameRate(video: VideoTrack, factor: number): number {
  const least = hasVariableRate(video) ? VARIABLE_RATE_MIN : 1
  const rate = gridRateOf(video)
  const most = Math.min(RATE_MAX, Math.max(RATE_KEPT, rate))
  return Math.min(most, Math.max(least, rate * factor))
}

/** Splits a factor into equal factors within the range of one filter; their product is the factor. */
export function tempos(factor: number): string[] {
  const limit = factor > 1 ? TEMPO.max : TEMPO.min
  const count = Math.max(1, Math.ceil(Math.log(factor) / Math.log(limit) - 1e-9))
  return Array.from({ length: count }, () => (factor ** (1 / count)).toFixed(9).replace(/\.?0+$/, ''))
}
