import { z } from 'zod'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { videoEdit } from '../../ffmpeg/edit.ts'

/** Tags of the file, of its tracks and of its chapters, and the writing program's own name. */
export const NO_METADATA = ['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact']

/** Videos, without what they tell of their making (Contract: Video operations, Remux). */
export const strip_metadata = defineVideoEdit({
  key: 'strip_metadata',
  stem: 'stripped',
  title: 'Remove metadata',
  description:
    'Removes place, time, device, titles, chapters, subtitles, cover art, attachments and data tracks. Video and audio are copied and stay upright; where a camera wrote date and model into the H.264 or HEVC stream itself, those bytes are overwritten, and user_data_removed counts them. Other operations keep place, time, device and title, also where they encode.',
  credits: 1,
  family: 'strip_metadata',
  facts: ['probe'],
  parameters: z.object({}),
  presets: [],
  edit({ facts: { probe } }) {
    return videoEdit(probe, { subtitles: 'none', options: NO_METADATA })
  },
})
