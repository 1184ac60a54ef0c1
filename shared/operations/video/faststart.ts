import { z } from 'zod'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { videoEdit } from '../../ffmpeg/edit.ts'
import { canCopyAudio, canCopyVideo } from '../../ffmpeg/output/containers.ts'

/** Moves the index to the front of the file (Contract: Video operations, Remux). */
export const faststart = defineVideoEdit({
  key: 'faststart',
  stem: 'faststart',
  title: 'Fast start',
  description:
    'Moves the index to the front, so that playback starts before the download ends. Writes an MP4 where possible. Only audio that the container does not support is encoded.',
  credits: 1,
  family: null,
  facts: ['probe'],
  parameters: z.object({}),
  presets: [],
  edit({ facts: { probe } }) {
    // WebM is already optimized for the web. Other inputs are copied into an MP4 if it supports their codecs.
    const is_webm = canCopyVideo(probe, 'webm') && probe.container.split(',').includes('webm')
    const fits = canCopyVideo(probe, 'mp4') && canCopyAudio(probe, 'mp4')
    return videoEdit(probe, { encoding: fits && !is_webm ? { container: 'mp4' } : {} })
  },
})
