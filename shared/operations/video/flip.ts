import { z } from 'zod'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { chain, videoEdit, withSize } from '../../ffmpeg/edit.ts'

/** Flips a video (Contract: Video operations, Full re-encode). */
export const flip = defineVideoEdit({
  key: 'flip',
  stem: 'flipped',
  title: 'Flip video',
  description: 'Flips the video horizontally or vertically.',
  credits: 2,
  family: null,
  facts: ['probe'],
  parameters: z.object({
    axis: z
      .enum(['h', 'v'])
      .default('h')
      .describe('h flips horizontally (mirrored, as a selfie camera shows it), v flips vertically'),
  }),
  presets: [
    { label: 'Horizontal', params: { axis: 'h' } },
    { label: 'Vertical', params: { axis: 'v' } },
  ],
  edit({ params, facts: { probe } }) {
    const filter = params.axis === 'h' ? 'hflip' : 'vflip'
    return videoEdit(probe, { video: chain(filter), is_framewise: true, after: withSize(probe, probe.video) })
  },
})
