import { z } from 'zod'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { chain, videoEdit, withSize } from '../../ffmpeg/edit.ts'

/** Videos, mirrored (Contract: Video operations, Full re-encode). */
export const flip = defineVideoEdit({
  key: 'flip',
  stem: 'flipped',
  title: 'Flip video',
  description: 'Mirrors the picture: left and right, or top and bottom.',
  credits: 2,
  family: null,
  facts: ['probe'],
  parameters: z.object({
    axis: z
      .enum(['h', 'v'])
      .default('h')
      .describe('h mirrors left and right, as a selfie camera does; v mirrors top and bottom'),
  }),
  presets: [
    { label: 'Left and right', params: { axis: 'h' } },
    { label: 'Top and bottom', params: { axis: 'v' } },
  ],
  edit({ params, facts: { probe } }) {
    const filter = params.axis === 'h' ? 'hflip' : 'vflip'
    return videoEdit(probe, { picture: chain(filter), after: withSize(probe, probe.video) })
  },
})
