import { z } from 'zod'
import { coverScript } from '../../captions/cover-text.ts'
import { Colour } from '../../ffmpeg/color.ts'
import { continueSource, type Source } from '../../ffmpeg/cuts/source.ts'
import { momentOf, refuseBeyondEnd } from '../../ffmpeg/cuts/timestamps.ts'
import { encodedSize } from '../../ffmpeg/filters.ts'
import { alphaLoss } from '../../ffmpeg/video/alpha.ts'
import { blurredBackground, type Drawing } from '../../ffmpeg/video/background.ts'
import { pictureFilters } from '../../ffmpeg/video/colors.ts'
import { cropToShape, fitInside, type Size } from '../../ffmpeg/video/frame-size.ts'
import { planFrame, stillStep } from '../../ffmpeg/video/frames.ts'
import { drawShade } from '../../ffmpeg/video/shade.ts'
import type { VideoTrack } from '../../planning/facts.ts'
import { defineOperation } from '../../planning/operation.ts'
import type { Step } from '../../planning/steps.ts'
import { Position } from '../../text/positions.ts'

const SCRIPT = 'cover.ass'

const SIZES = {
  youtube: { width: 1280, height: 720 },
  vertical: { width: 1080, height: 1920 },
  square: { width: 1080, height: 1080 },
  portrait: { width: 1080, height: 1350 },
  widescreen: { width: 1920, height: 1080 },
} as const

/** Videos, to a cover picture: one frame, with a title and a subtitle over it (Contract: Video operations). */
export const cover = defineOperation({
  service: 'video',
  key: 'cover',
  title: 'Video cover',
  description: 'Makes a cover picture: the best frame, or one you name, with a title and a subtitle over it.',
  credits: 1,
  accepts: ['video'],
  family: null,
  facts: ['probe'],
  parameters: z.object({
    title: z.string().max(120).optional().describe('Large text, in any script; wrapped and sized to fit'),
    subtitle: z.string().max(200).optional().describe('Smaller text below the title'),
    at: z.number().min(0).optional().describe('The moment in seconds; omitted, the best frame is looked for'),
    smart: z
      .boolean()
      .optional()
      .describe(
        'Looks for a sharp, bright, telling frame, near the moment if one is given; omitted, where none is',
      ),
    size: z
      .enum(['youtube', 'vertical', 'square', 'portrait', 'widescreen', 'original'])
      .default('youtube')
      .describe(
        'youtube 1280x720, vertical 1080x1920, square 1080x1080, portrait 1080x1350, widescreen 1920x1080, ' +
          "original the video's own",
      ),
    fit: z
      .enum(['crop', 'blur'])
      .default('crop')
      .describe('Where the shapes differ: cut what is too much, or show all before a blurred background'),
    format: z.enum(['jpg', 'png', 'webp', 'jpeg']).default('jpg').describe('Format; jpeg is the same as jpg'),
    position: Position.default('bl').describe('Place of the text: from tl, top left, to br, bottom right'),
    color: Colour.default('#ffffff').describe('Colour of the title: #rrggbb, #rgb or a name such as white'),
    subtitle_color: Colour.optional().describe("Colour of the subtitle; omitted, the title's"),
    text_size: z
      .number()
      .min(2)
      .max(30)
      .default(11)
      .describe(
        "Height of the title's letters in percent of the picture's shorter side; smaller where it must fit",
      ),
    shade: z
      .enum(['gradient', 'full', 'none'])
      .default('gradient')
      .describe('Darkens the picture behind the text so that it can be read: on its side, all of it, or not'),
    shade_opacity: z.number().min(0).max(1).default(0.7).describe('How dark the shade is, from 0 to 1'),
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
  plan({ params, facts: { probe } }) {
    const { video } = probe
    if (params.at !== undefined && params.at > probe.duration_seconds) {
      return refuseBeyondEnd('at', params.at, probe)
    }
    const size = params.size === 'original' ? encodedSize(video) : SIZES[params.size]
    const frame = planFrame({
      ...momentOf(probe, { at: params.at, smart: params.smart ?? params.at === undefined }),
      picture:
        params.fit === 'crop'
          ? pictureFilters(video, size, cropToShape(video, size))
          : pictureFilters(video, fitInside(video, size)),
    })
    const script = coverScript(params, size)
    const drawn = script === null ? [] : [drawShade(params, size), drawScript]
    const behind = params.fit === 'blur' ? [blurBehind(video, size)] : []
    const format = params.format === 'jpeg' ? 'jpg' : params.format
    const step = stillStep(drawOn(frame, [...behind, ...drawn]), 'cover', format)
    const texts: Step[] = script === null ? [] : [{ kind: 'text', file: SCRIPT, content: script }]
    const body = alphaLoss(video)
    return { encode_mode: null, steps: [...texts, step], outputs: [{ file: step.output.file }], body }
  },
})

function blurBehind(video: VideoTrack, size: Size): Drawing {
  return blurredBackground(video, size, fitInside(video, size), { blur: 35, zoom: 1.1, dim: 0.15 })
}

const drawScript: Drawing = ({ input, output }) => `${input}ass=${SCRIPT}${output}`

/** From the frame, which is then `[cover0]`, through all drawings to `[picture]`. */
function drawOn(frame: Source, drawings: readonly Drawing[]): Source {
  if (drawings.length === 0) return frame
  const pad = (number: number) => (number === drawings.length ? '[picture]' : `[cover${number}]`)
  const drawn = drawings
    .map((drawing, number) =>
      drawing({
        input: pad(number),
        output: pad(number + 1),
        own: (name) => `[cover${number}_${name}]`,
      }),
    )
    .join(';')
  return continueSource(frame, (graph) => `${graph.replace(/\[picture\]$/, '[cover0]')};${drawn}`)
}
