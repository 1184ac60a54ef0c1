import { z } from 'zod'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { videoEdit } from '../../ffmpeg/edit.ts'
import { canCopyAudio, canCopyVideo } from '../../ffmpeg/output/containers.ts'

/** Videos, with the index at the front (Contract: Video operations, Remux). */
export const faststart = defineVideoEdit({
  key: 'faststart',
  stem: 'faststart',
  title: 'Start at once',
  description:
    'Puts the index first, so that playback starts before the whole file is loaded. Writes an MP4 where it can. Encodes nothing but audio that the container cannot hold.',
  credits: 1,
  family: null,
  facts: ['probe'],
  parameters: z.object({}),
  presets: [],
  edit({ facts: { probe } }) {
    // WebM is made for the web already; every other container's tracks go into an MP4 if it takes them.
    const is_webm = canCopyVideo(probe, 'webm') && probe.container.split(',').includes('webm')
    const fits = canCopyVideo(probe, 'mp4') && canCopyAudio(probe, 'mp4')
    return videoEdit(probe, { encoding: fits && !is_webm ? { container: 'mp4' } : {} })
  },
})
