import { z } from 'zod'
import { Color, ffmpegColor } from '../../ffmpeg/color.ts'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { chain, videoEdit, withSize } from '../../ffmpeg/edit.ts'
import { encodedSize } from '../../ffmpeg/filters.ts'
import { fitInside, padTo } from '../../ffmpeg/video/frame-size.ts'
import { packTexts } from '../../text/texts.ts'

const CAP = 'The shorter side of the result is at most 1080 pixels'

const Parameters = z
  .object({
    width: z.int().min(16).max(7680).optional().describe(`Width in pixels. ${CAP}`),
    height: z.int().min(16).max(7680).optional().describe(`Height in pixels. ${CAP}`),
    mode: z
      .enum(['fit', 'pad'])
      .default('fit')
      .describe(
        'fit scales within width and height and keeps the aspect ratio; pad adds bars to match width and height exactly',
      ),
    color: Color.default('#000000').describe('Color of the bars with mode pad'),
  })
  .refine(({ width, height }) => width !== undefined || height !== undefined, {
    path: ['width'],
    error: packTexts({
      en: 'is required. Set width, height or both',
      uk: 'значення обов’язкове. Укажіть width, height або обидва',
      ru: 'значение обязательно. Укажите width, height или оба',
    }),
  })

/**
 * Resizes a video (Contract: Video operations, Full re-encode). Enlarges smaller videos up to the cap; sides
 * are rounded to even numbers.
 */
export const resize = defineVideoEdit({
  key: 'resize',
  stem: 'resized',
  title: 'Resize video',
  description:
    'Resizes the video: scaled to fit within width and height, or padded with bars to match them. Up to 1080p.',
  credits: 3,
  family: 'resize',
  facts: ['probe'],
  parameters: Parameters,
  presets: [
    { label: '1080p', params: { width: 1920, height: 1080 } },
    { label: '720p', params: { width: 1280, height: 720 } },
    { label: '480p', params: { width: 854, height: 480 } },
    { label: 'Portrait 1080 x 1920, with bars', params: { width: 1080, height: 1920, mode: 'pad' } },
  ],
  edit({ params, facts: { probe } }) {
    const { video } = probe
    const width = params.width ?? (video.width * (params.height ?? 0)) / video.height
    const height = params.height ?? (video.height * (params.width ?? 0)) / video.width
    if (params.mode === 'pad') {
      const size = encodedSize({ width, height })
      const filters = padTo(size, fitInside(video, size), ffmpegColor(params.color))
      return videoEdit(probe, { video: chain(...filters), is_framewise: true, after: withSize(probe, size) })
    }
    const scale = Math.min(width / video.width, height / video.height)
    const size = encodedSize({ width: video.width * scale, height: video.height * scale })
    return videoEdit(probe, {
      video: chain(`scale=${size.width}:${size.height}`, 'setsar=1'),
      is_framewise: true,
      after: withSize(probe, size),
    })
  },
})
