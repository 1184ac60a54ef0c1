import { z } from 'zod'
import { Color, ffmpegColor } from '../../ffmpeg/color.ts'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { chain, videoEdit, withSize } from '../../ffmpeg/edit.ts'
import { cropTo, fitInside, padTo } from '../../ffmpeg/video/frame-size.ts'

/** Sizes that the platforms show without scaling, for feeds, for stories and reels, and for players. */
const SIZES = {
  square: { width: 1080, height: 1080 },
  vertical: { width: 1080, height: 1920 },
  widescreen: { width: 1920, height: 1080 },
} as const

const focus = (side: string) =>
  z.number().min(0).max(1).default(0.5).describe(`Part that a crop keeps: 0 is the ${side}, 0.5 the center`)

/** Formats a video for social media platforms (Contract: Video operations, Full re-encode). */
export const social = defineVideoEdit({
  key: 'social',
  stem: 'social',
  title: 'Format for social media',
  description:
    'Formats the video as square 1080 x 1080, vertical 1080 x 1920 or widescreen 1920 x 1080, cropped or with bars.',
  credits: 3,
  family: null,
  facts: ['probe'],
  parameters: z.object({
    preset: z
      .enum(['square', 'vertical', 'widescreen'])
      .default('vertical')
      .describe('square for feeds, vertical for stories, reels and shorts, widescreen for players'),
    mode: z
      .enum(['crop', 'pad'])
      .default('crop')
      .describe('crop fills the frame and removes the rest; pad shows the whole video with bars'),
    focus_x: focus('left edge'),
    focus_y: focus('top'),
    color: Color.default('#000000').describe('Color of the bars with mode pad'),
  }),
  presets: [
    { label: 'Stories, Reels, Shorts', params: { preset: 'vertical' } },
    { label: 'Square for feeds', params: { preset: 'square' } },
    { label: 'Widescreen with bars', params: { preset: 'widescreen', mode: 'pad' } },
  ],
  edit({ params, facts: { probe } }) {
    const size = SIZES[params.preset]
    const filters =
      params.mode === 'pad'
        ? padTo(size, fitInside(probe.video, size), ffmpegColor(params.color))
        : cropTo(size, probe.video, { x: params.focus_x, y: params.focus_y })
    return videoEdit(probe, { video: chain(...filters), is_framewise: true, after: withSize(probe, size) })
  },
})
