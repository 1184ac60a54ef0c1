import { z } from 'zod'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { videoEdit } from '../../ffmpeg/edit.ts'

/** Removes the audio (Contract: Video operations, Remux). */
export const mute = defineVideoEdit({
  key: 'mute',
  stem: 'muted',
  title: 'Remove sound',
  description: 'Removes all audio tracks. The video is copied.',
  credits: 1,
  family: null,
  facts: ['probe'],
  parameters: z.object({}),
  presets: [],
  edit({ facts: { probe } }) {
    return videoEdit(probe, { audio: 'none', after: { ...probe, audio: [] } })
  },
})
