import { z } from 'zod'
import { coverScript } from '../../captions/cover-text.ts'
import { drawScript } from '../../captions/draw-script.ts'
import { Color } from '../../ffmpeg/color.ts'
import { continueSource, type Source } from '../../ffmpeg/cuts/source.ts'
import { frameRequest, refuseBeyondEnd } from '../../ffmpeg/cuts/timestamps.ts'
import { encodedSize } from '../../ffmpeg/filters.ts'
import { alphaLoss } from '../../ffmpeg/video/alpha.ts'
import { blurredBackground, type Drawing } from '../../ffmpeg/video/background.ts'
import { frameFilters } from '../../ffmpeg/video/colors.ts'
import { cropToShape, fitInside, type Size } from '../../ffmpeg/video/frame-size.ts'
import { planFrame, stillStep } from '../../ffmpeg/video/frames.ts'
import { drawShade } from '../../ffmpeg/video/shade.ts'
import type { VideoTrack } from '../../planning/facts.ts'
import { defineOperation } from '../../planning/operation.ts'
import { FrameBody } from '../../planning/result-body.ts'
import type { Step } from '../../planning/steps.ts'
import { Position } from '../../text/positions.ts'

const LOOK = { is_still: true, has_shadow: true }

const SIZES = {
  youtube: { width: 1280, height: 720 },
  vertical: { width: 1080, height: 1920 },
  square: { width: 1080, height: 1080 },
  portrait: { width: 1080, height: 1350 },
  widescreen: { width: 1920, height: 1080 },
} as const

/** Creates a cover image: one frame with a title and a subtitle (Contract: Video operations). */
export const cover = defineOperation({
  service: 'video',
  key: 'cover',
  title: 'Video cover',
  description:
    'Creates a cover image from the best frame, or from a frame of your choice, with a title and a subtitle.',
  credits: 1,
  accepts: ['video'],
  family: null,
  facts: ['probe'],
  parameters: z.object({
    title: z.string().max(120).optional().describe('Title text, in any script; wrapped and scaled to fit'),
    subtitle: z.string().max(200).optional().describe('Subtitle text, shown below the title'),
    at: z
      .number()
      .min(0)
      .optional()
      .describe('Timestamp of the frame in seconds. Default: the best frame is searched for'),
    smart: z
      .boolean()
      .optional()
      .describe(
        'Searches for a sharp, bright, detailed frame, near at if it is set. Default: true if at is not set',
      ),
    size: z
      .enum(['youtube', 'vertical', 'square', 'portrait', 'widescreen', 'original'])
      .default('youtube')
      .describe(
        'Dimensions of the image. youtube is 1280x720, vertical 1080x1920, square 1080x1080, portrait 1080x1350, widescreen 1920x1080; original keeps the dimensions of the video',
      ),
    fit: z
      .enum(['crop', 'blur'])
      .default('crop')
      .describe(
        'If the aspect ratios differ: crop the frame, or blur to show all of it on a blurred background',
      ),
    format: z
      .enum(['jpg', 'png', 'webp', 'jpeg'])
      .default('jpg')
      .describe('Output format; jpeg is an alias of jpg'),
    position: Position.default('bl').describe(
      'Position of the text, from tl (top left) to br (bottom right)',
    ),
    color: Color.default('#ffffff').describe('Color of the title: #rrggbb, #rgb or a name such as white'),
    subtitle_color: Color.optional().describe('Color of the subtitle. Default: the color of the title'),
    text_size: z
      .number()
      .min(2)
      .max(30)
      .default(11)
      .describe('Font size of the title in percent of the shorter side; reduced if the text would not fit'),
    shade: z
      .enum(['gradient', 'full', 'none'])
      .default('gradient')
      .describe(
        'Darkens the image behind the text: gradient on the side of the text, full everywhere, none nowhere',
      ),
    shade_opacity: z.number().min(0).max(1).default(0.7).describe('Opacity of the shade, from 0 to 1'),
  }),
  presets: [
    { label: 'YouTube thumbnail', params: { title: 'Your title', size: 'youtube' } },
    {
      label: 'Reels or TikTok cover',
      params: { title: 'Your title', size: 'vertical', position: 'c', shade: 'full', shade_opacity: 0.4 },
    },
    { label: 'Square post', params: { title: 'Your title', size: 'square' } },
    {
      label: 'Yellow headline',
      params: { title: 'Your title', color: '#ffd400', position: 'l', text_size: 16 },
    },
  ],
  result_body: FrameBody,
  plan({ params, facts: { probe } }) {
    const { video } = probe
    if (params.at !== undefined && params.at > probe.duration_seconds) {
      return refuseBeyondEnd('at', params.at, probe)
    }
    const size = params.size === 'original' ? encodedSize(video) : SIZES[params.size]
    const frame = planFrame({
      ...frameRequest(probe, { at: params.at, smart: params.smart ?? params.at === undefined }),
      filters:
        params.fit === 'crop'
          ? frameFilters(video, size, cropToShape(video, size))
          : frameFilters(video, fitInside(video, size)),
    })
    const script = coverScript(params, size)
    const text = script === null ? null : drawScript(script, { video, frame: size, ...LOOK })
    const drawn = text === null ? [] : [drawShade(params, size), text.drawing]
    const background = params.fit === 'blur' ? [blurBehind(video, size)] : []
    const format = params.format === 'jpeg' ? 'jpg' : params.format
    const step = stillStep(drawOn(frame, [...background, ...drawn]), 'cover', format)
    const steps: Step[] = text === null ? [step] : [{ kind: 'text', ...text.text }, ...text.images, step]
    const body = alphaLoss(video)
    return { encode_mode: null, steps, outputs: [{ file: step.output.file }], body }
  },
})

function blurBehind(video: VideoTrack, size: Size): Drawing {
  return blurredBackground(video, size, fitInside(video, size), { blur: 35, zoom: 1.1, dim: 0.15 })
}

/** Chains all drawings onto the frame, from `[cover0]` to the final pad. */
function drawOn(frame: Source, drawings: readonly Drawing[]): Source {
  if (drawings.length === 0) return frame
  const pad = (number: number) => (number === drawings.length ? '[frame]' : `[cover${number}]`)
  const drawn = drawings
    .map((drawing, number) =>
      drawing({
        input: pad(number),
        output: pad(number + 1),
        own: (name) => `[cover${number}_${name}]`,
      }),
    )
    .join(';')
  return continueSource(frame, (graph) => `${graph.replace(/\[frame\]$/, '[cover0]')};${drawn}`)
}
