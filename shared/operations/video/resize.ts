import { z } from 'zod'
import { Colour, ffmpegColour } from '../../ffmpeg/color.ts'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { chain, videoEdit, withSize } from '../../ffmpeg/edit.ts'
import { encodedSize } from '../../ffmpeg/filters.ts'
import { fitInside, padTo } from '../../ffmpeg/video/frame-size.ts'

const CAP = 'The result has at most 1080 pixels on its shorter side'

const Parameters = z
  .object({
    width: z.int().min(16).max(7680).optional().describe(`Width in pixels. ${CAP}`),
    height: z.int().min(16).max(7680).optional().describe(`Height in pixels. ${CAP}`),
    mode: z
      .enum(['fit', 'pad'])
      .default('fit')
      .describe('fit keeps the aspect within width and height; pad fills up to exactly them with bars'),
    color: Colour.default('#000000').describe('Colour of the bars, with mode pad'),
  })
  .refine(({ width, height }) => width !== undefined || height !== undefined, {
    path: ['width'],
    error: 'is missing; give width, height or both',
  })

/**
 * Videos, to another size (Contract: Video operations, Full re-encode). Smaller
 * ones are enlarged: who asks for a size gets it, but for the cap and to the nearest even number.
 */
export const resize = defineVideoEdit({
  key: 'resize',
  stem: 'resized',
  title: 'Resize video',
  description:
    'Changes the size: fitted within width and height, or with bars to exactly these. At most 1080p.',
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
      const filters = padTo(size, fitInside(video, size), ffmpegColour(params.color))
      return videoEdit(probe, { picture: chain(...filters), after: withSize(probe, size) })
    }
    const scale = Math.min(width / video.width, height / video.height)
    const size = encodedSize({ width: video.width * scale, height: video.height * scale })
    return videoEdit(probe, {
      picture: chain(`scale=${size.width}:${size.height}`, 'setsar=1'),
      after: withSize(probe, size),
    })
  },
})
