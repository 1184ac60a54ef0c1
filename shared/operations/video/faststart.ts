import { z } from 'zod'
import { videoEdit } from '../edit.ts'
import { holdsCodec, holdsPicture } from './containers.ts'
import { defineVideoEdit } from './define-edit.ts'

/** Videos, with the index at the front (specification: Video service; Encoding behaviour, remux). */
export const faststart = defineVideoEdit({
  key: 'faststart',
  stem: 'faststart',
  title: 'Start at once',
  description:
    'Puts the index first, so that playing starts before all is loaded; nothing is encoded. An MP4 where it can be.',
  credits: 1,
  family: null,
  facts: ['probe'],
  parameters: z.object({}),
  presets: [],
  edit({ facts: { probe } }) {
    // WebM is made for the web already; every other container's tracks go into an MP4 if it takes them.
    const is_webm = holdsPicture('webm', probe.video) && probe.container.split(',').includes('webm')
    const fits =
      holdsPicture('mp4', probe.video) && probe.audio.every(({ codec }) => holdsCodec('mp4', codec))
    return videoEdit(probe, { encoding: fits && !is_webm ? { container: 'mp4' } : {} })
  },
})
