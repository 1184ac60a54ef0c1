import { z } from 'zod'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { chain, videoEdit, withSize } from '../../ffmpeg/edit.ts'

const FILTERS = { '90cw': 'transpose=clock', '90ccw': 'transpose=cclock', '180': 'hflip,vflip' } as const

/** Videos, turned by quarters (Contract: Video operations, Full re-encode). */
export const rotate = defineVideoEdit({
  key: 'rotate',
  stem: 'rotated',
  title: 'Rotate video',
  description: 'Turns the picture by a quarter or a half, starting from how players show it.',
  credits: 2,
  family: null,
  facts: ['probe'],
  parameters: z.object({
    mode: z
      .enum(['90cw', '90ccw', '180'])
      .default('90cw')
      .describe('A quarter clockwise, a quarter counter-clockwise, or upside down'),
  }),
  presets: [
    { label: 'Quarter clockwise', params: { mode: '90cw' } },
    { label: 'Quarter counter-clockwise', params: { mode: '90ccw' } },
    { label: 'Upside down', params: { mode: '180' } },
  ],
  edit({ params, facts: { probe } }) {
    const { width, height } = probe.video
    const size = params.mode === '180' ? { width, height } : { width: height, height: width }
    return videoEdit(probe, { picture: chain(FILTERS[params.mode]), after: withSize(probe, size) })
  },
})
