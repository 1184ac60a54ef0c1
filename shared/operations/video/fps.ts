import { z } from 'zod'
import { constantRateFilters, rateFilter } from '../../ffmpeg/cuts/cut.ts'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { chain, videoEdit, withRate } from '../../ffmpeg/edit.ts'

/** Converts a video to a constant frame rate (Contract: Video operations, Full re-encode). */
export const fps = defineVideoEdit({
  key: 'fps',
  stem: 'fps',
  title: 'Change frame rate',
  description:
    'Converts the video to a constant frame rate by dropping or repeating frames. The playback speed stays the same.',
  credits: 2,
  family: null,
  facts: ['probe'],
  parameters: z.object({
    fps: z.number().min(1).max(120).default(30).describe('Frames per second, such as 25, 29.97 or 60'),
  }),
  presets: [
    { label: 'Cinema: 24', params: { fps: 24 } },
    { label: 'Web: 30', params: { fps: 30 } },
    { label: 'Smooth: 60', params: { fps: 60 } },
  ],
  edit({ params, facts: { probe } }) {
    return videoEdit(probe, {
      video: chain(...constantRateFilters(probe, params.fps)),
      samples: { video: chain(rateFilter(params.fps)) },
      after: withRate(probe, params.fps),
    })
  },
})
