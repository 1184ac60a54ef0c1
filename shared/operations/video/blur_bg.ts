import { z } from 'zod'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { videoEdit, withSize } from '../../ffmpeg/edit.ts'
import { encodedSize } from '../../ffmpeg/filters.ts'
import { blurredBackground } from '../../ffmpeg/video/background.ts'
import { fitInside, type Size } from '../../ffmpeg/video/frame-size.ts'

const ASPECTS = ['9:16', '4:5', '1:1', '4:3', '3:4', '16:9', '21:9'] as const

/**
 * Fits a video onto a canvas of another aspect ratio, with a blurred copy of itself as the background
 * (Contract: Video operations, Full re-encode).
 */
export const blur_bg = defineVideoEdit({
  key: 'blur_bg',
  stem: 'framed',
  title: 'Blurred background',
  description:
    'Fits the video onto a canvas of another aspect ratio without cropping. The free area shows the video itself, blurred.',
  credits: 3,
  family: null,
  facts: ['probe'],
  parameters: z.object({
    aspect: z.enum(ASPECTS).default('9:16').describe('Aspect ratio of the canvas, width to height'),
    resolution: z
      .int()
      .min(144)
      .max(1080)
      .optional()
      .describe('Shorter side of the canvas in pixels. Default: as large as the video needs, up to 1080'),
    blur: z.number().min(1).max(100).default(35).describe('Blur strength from 1 to 100'),
    zoom: z.number().min(1).max(4).default(1.1).describe('Zoom factor of the background'),
    dim: z.number().min(0).max(0.9).default(0.15).describe('Darkening of the background, from 0 to 0.9'),
    scale: z
      .number()
      .min(0.3)
      .max(1)
      .default(1)
      .describe('Scale of the foreground video; values below 1 leave a margin on all sides'),
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
      video: blurredBackground(probe.video, canvas, fitted, params),
      is_framewise: true,
      after: withSize(probe, canvas),
    })
  },
})

/** Returns the canvas size: the requested resolution, or one that is large enough for the video, within the cap. */
function canvasSize(video: Size, aspect: (typeof ASPECTS)[number], resolution: number | undefined): Size {
  const [across = 1, down = 1] = aspect.split(':').map(Number)
  const shape = across / down
  const width =
    resolution === undefined ? Math.max(video.width, video.height * shape) : resolution * Math.max(1, shape)
  return encodedSize({ width, height: width / shape })
}
