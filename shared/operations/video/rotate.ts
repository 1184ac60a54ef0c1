import { z } from 'zod'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { chain, videoEdit, withSize } from '../../ffmpeg/edit.ts'

const FILTERS = { '90cw': 'transpose=clock', '90ccw': 'transpose=cclock', '180': 'hflip,vflip' } as const

/** Rotates a video by 90 or 180 degrees (Contract: Video operations, Full re-encode). */
export const rotate = defineVideoEdit({
  key: 'rotate',
  stem: 'rotated',
  title: 'Rotate video',
  description: 'Rotates the video by 90 or 180 degrees, relative to how players show it.',
  credits: 2,
  family: null,
  facts: ['probe'],
  parameters: z.object({
    mode: z
      .enum(['90cw', '90ccw', '180'])
      .default('90cw')
      .describe('Rotation: 90 degrees clockwise, 90 degrees counterclockwise, or 180 degrees'),
  }),
  presets: [
    { label: '90° clockwise', params: { mode: '90cw' } },
    { label: '90° counterclockwise', params: { mode: '90ccw' } },
    { label: 'Upside down', params: { mode: '180' } },
  ],
  edit({ params, facts: { probe } }) {
    const { width, height } = probe.video
    const size = params.mode === '180' ? { width, height } : { width: height, height: width }
    return videoEdit(probe, {
      video: chain(FILTERS[params.mode]),
      is_framewise: true,
      after: withSize(probe, size),
    })
  },
})
