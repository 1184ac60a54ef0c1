import { z } from 'zod'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { videoEdit } from '../../ffmpeg/edit.ts'
import { CleanedVideoBody } from '../../planning/result-body.ts'

/** Drops the tags of the file and its tracks, the chapters, and the name of the muxer. */
export const NO_METADATA = ['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact']

/** Removes metadata from a video (Contract: Video operations, Remux). */
export const strip_metadata = defineVideoEdit({
  key: 'strip_metadata',
  stem: 'stripped',
  title: 'Remove metadata',
  description:
    'Removes location, dates, device, titles, chapters, subtitles, cover art, attachments and data tracks. Video and audio are copied; rotation is kept. Date and camera model inside the H.264 or HEVC stream are overwritten, and user_data_removed counts those messages. Other operations keep location, date, device and title, even if they encode.',
  credits: 1,
  family: 'strip_metadata',
  facts: ['probe'],
  parameters: z.object({}),
  presets: [],
  result_body: CleanedVideoBody,
  edit({ facts: { probe } }) {
    return videoEdit(probe, { subtitles: 'none', options: NO_METADATA })
  },
})
