import { z } from 'zod'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { videoEdit, withSize } from '../../ffmpeg/edit.ts'
import { encodedSize } from '../../ffmpeg/filters.ts'
import { blurredBackground } from '../../ffmpeg/video/background.ts'
import { fitInside, type Size } from '../../ffmpeg/video/frame-size.ts'

const ASPECTS = ['9:16', '4:5', '1:1', '4:3', '3:4', '16:9', '21:9'] as const

/** Videos, whole on a canvas of another shape, before a blurred picture of themselves (full re-encode). */
export const blur_bg = defineVideoEdit({
  key: 'blur_bg',
  stem: 'framed',
  title: 'Blurred background',
  description:
    'Fits the video to another shape without cutting: what is left free shows the video itself, blurred.',
  credits: 3,
  family: null,
  facts: ['probe'],
  parameters: z.object({
    aspect: z.enum(ASPECTS).default('9:16').describe('Shape of the canvas, width to height'),
    resolution: z
      .int()
      .min(144)
      .max(1080)
      .optional()
      .describe("The canvas' shorter side in pixels; omitted, as large as the video needs, at most 1080"),
    blur: z.number().min(1).max(100).default(35).describe('Strength of the blur, from 1 to 100'),
    zoom: z.number().min(1).max(4).default(1.1).describe('How much the background is enlarged'),
    dim: z
      .number()
      .min(0)
      .max(0.9)
      .default(0.15)
      .describe('How much darker the background is, from 0 to 0.9'),
    scale: z
      .number()
      .min(0.3)
      .max(1)
      .default(1)
      .describe('Size of the video itself; less than 1 leaves free room on all sides'),
  }),
  presets: [
    { label: 'Stories, Reels, Shorts, TikTok (9:16)', params: { aspect: '9:16' } },
    { label: 'Square (1:1)', params: { aspect: '1:1' } },
    { label: 'Feed portrait (4:5)', params: { aspect: '4:5' } },
    { label: 'YouTube (16:9)', params: { aspect: '16:9' } },
  ],
  edit({ params, facts: { probe } }) {
    const canvas = canvasSize(probe.video, params.aspect, params.resolution)
    const fitted = fitInside(probe.video, canvas, params.scale)
    return videoEdit(probe, {
      picture: blurredBackground(probe.video, canvas, fitted, params),
      after: withSize(probe, canvas),
    })
  },
})

/** Large enough for the video as it is, within the cap, unless another size is asked for. */
function canvasSize(video: Size, aspect: (typeof ASPECTS)[number], resolution: number | undefined): Size {
  const [across = 1, down = 1] = aspect.split(':').map(Number)
  const shape = across / down
  const width =
    resolution === undefined ? Math.max(video.width, video.height * shape) : resolution * Math.max(1, shape)
  return encodedSize({ width, height: width / shape })
}
