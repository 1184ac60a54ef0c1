import { z } from 'zod'
import { checkSeek, cutFilters, cutSeeks, readCut } from '../../ffmpeg/cuts/cut.ts'
import type { Cut } from '../../ffmpeg/cuts/cut-range.ts'
import { readWithFallbacks, type Source } from '../../ffmpeg/cuts/source.ts'
import { partOf } from '../../ffmpeg/cuts/timestamps.ts'
import { encodedSize, ffmpegSeconds } from '../../ffmpeg/filters.ts'
import { alphaLoss } from '../../ffmpeg/video/alpha.ts'
import { frameFilters } from '../../ffmpeg/video/colors.ts'
import type { Size } from '../../ffmpeg/video/frame-size.ts'
import { normalizeFrames } from '../../ffmpeg/video/normalize-frames.ts'
import type { MediaProbe, VideoTrack } from '../../planning/facts.ts'
import { defineOperation } from '../../planning/operation.ts'
import { AnimationBody } from '../../planning/result-body.ts'
import { type FfmpegInput, type FfmpegStep, SOURCE } from '../../planning/steps.ts'

const FILE = 'animation.gif'
const PALETTE = 'palette.png'
/** Default width, large enough to see and small enough to send. */
const WIDTH_DEFAULT = 480
/**
 * Enough pixels to find the palette. Above this limit, only a sample of each frame is used. At the end, palettegen
 * sorts all collected colors, and ffmpeg reports no progress while it does.
 */
const PALETTE_PIXELS_MAX = 16_000_000

/**
 * Prints a timestamp for every frame. palettegen writes no output until it has seen all frames, so ffmpeg's
 * progress report shows nothing until then.
 */
const PRINT_FRAMES = 'metadata=mode=add:key=seen:value=1,metadata=mode=print:file=-:direct=1'

const DITHERS = { none: 'none', ordered: 'bayer:bayer_scale=5', smooth: 'sierra2_4a' } as const

/** Creates an animated GIF with a palette made from its frames (Contract: Video operations). */
export const gif = defineOperation({
  service: 'video',
  key: 'gif',
  title: 'Video to GIF',
  description: 'Creates an animated GIF from part of the video, with an optimized color palette.',
  credits: 3,
  accepts: ['video'],
  family: null,
  facts: ['probe'],
  parameters: z.object({
    start: z.number().min(0).default(0).describe('Start of the clip in seconds'),
    duration: z
      .number()
      .min(1)
      .max(60)
      .default(5)
      .describe('Duration of the clip in seconds, limited to the end of the video'),
    fps: z.number().min(1).max(30).default(12).describe('Frames per second; lower values give smaller files'),
    width: z
      .int()
      .min(16)
      .max(1920)
      .optional()
      .describe(
        'Width in pixels; the height keeps the aspect ratio. Default: the width of the video, up to 480',
      ),
    loops: z
      .int()
      .min(0)
      .max(1000)
      .default(0)
      .describe('Number of times the animation plays; 0 loops forever'),
    colors: z
      .int()
      .min(4)
      .max(256)
      .default(256)
      .describe('Number of palette colors; fewer give smaller files'),
    dither: z
      .enum(['none', 'ordered', 'smooth'])
      .default('ordered')
      .describe('Dithering of colors that are not in the palette; none gives the smallest files'),
  }),
  presets: [
    { label: 'For messengers', params: { duration: 5, fps: 12, width: 480 } },
    { label: 'Small', params: { duration: 3, fps: 10, width: 320, colors: 128 } },
    { label: 'Smooth and large', params: { duration: 5, fps: 25, width: 720, dither: 'smooth' } },
  ],
  result_body: AnimationBody,
  plan({ params, facts: { probe } }) {
    const part = partOf(probe, params)
    if ('refused' in part) return part
    const size = gifSize(probe.video, params.width)
    const to_end = part.start + part.seconds >= probe.duration_seconds
    const cut = { ...part, to_end, never_longer: true as const }
    const normalization = normalizeFrames(probe)
    // A clip shorter than one frame still gets one.
    const fps = Math.max(params.fps, 1 / part.seconds)
    const read = (proceed: (frames: string) => string, ...others: FfmpegInput[]): Source =>
      readWithFallbacks(cutSeeks(probe, cut), (start) => {
        const { options, reads_seconds } = readCut(cut, probe, start)
        return {
          inputs: [
            { file: SOURCE, options: [...normalization.options, ...options], reads_seconds },
            ...others,
          ],
          filter_graph: proceed(showFrames(cut, probe, start, fps, size)),
        }
      })
    const sample = samplePixels(size, fps * part.seconds)
    const palette = `palettegen=max_colors=${params.colors}`
    const use = `paletteuse=dither=${DITHERS[params.dither]}:diff_mode=rectangle`
    const write = writeStep(params.loops, part.seconds)
    // Uses two runs. In a single run, all frames would wait in memory for the palette, without output or progress.
    // Both ways produce the same bytes, and a large source is downloaded only once.
    const steps: FfmpegStep[] = [
      paletteStep(
        read((frames) => `${[frames, ...sample, PRINT_FRAMES, palette].join(',')}[palette]`),
        part.seconds,
      ),
      {
        ...write,
        ...read((frames) => `${frames}[shown];[shown][1:v]${use},${PRINT_FRAMES}[gif]`, {
          file: PALETTE,
          options: ['-format_whitelist', 'png_pipe', '-f', 'png_pipe'],
        }),
      },
    ]
    const pass = { seconds: part.seconds, frames_per_second: fps, ...size }
    return {
      encode_mode: 'encode',
      steps,
      passes: [pass, pass],
      outputs: [{ file: FILE }],
      body: alphaLoss(probe.video),
    }
  },
})

/** Returns the output size, capped as for a full re-encode. The sides of a GIF can be odd. */
function gifSize(video: VideoTrack, requested: number | undefined): Size {
  const width = requested ?? Math.min(WIDTH_DEFAULT, video.width)
  const size = { width, height: Math.max(1, Math.round((video.height * width) / video.width)) }
  const capped = encodedSize(size)
  return capped.width < size.width - 1 ? capped : size
}

/** Deinterlaces, cuts, reduces the frame rate and then scales, to scale only the frames that are shown. */
function showFrames(cut: Cut, probe: MediaProbe, seek_seconds: number, fps: number, size: Size): string {
  const { video } = probe
  const filters = [
    ...normalizeFrames(probe).filters,
    ...checkSeek(cut, probe, seek_seconds),
    ...(video.interlaced ? ['bwdif=mode=send_frame'] : []),
    ...cutFilters(cut, probe, seek_seconds),
    `fps=${ffmpegSeconds(fps)}`,
    frameFilters({ ...video, interlaced: false }, size),
  ]
  return `[0:${video.index}]${filters.join(',')}`
}

/** Reduces each frame to a sample of its unfiltered pixels if the total exceeds the limit for the palette. */
function samplePixels({ width, height }: Size, frames: number): string[] {
  const part = Math.sqrt(PALETTE_PIXELS_MAX / (width * height * frames))
  if (part >= 1) return []
  const [columns, rows] = [width, height].map((side) => Math.max(1, Math.round(side * part)))
  return ['format=bgra', `scale=${columns}:${rows}:flags=neighbor`]
}

function paletteStep(source: Source, seconds: number): FfmpegStep {
  return {
    kind: 'ffmpeg',
    ...source,
    output: {
      file: PALETTE,
      options: ['-map', '[palette]', '-frames:v', '1', '-update', '1'],
    },
    output_duration_seconds: seconds,
  }
}

function writeStep(loops: number, seconds: number): Omit<FfmpegStep, 'inputs' | 'filter_graph'> {
  // ffmpeg counts repetitions: -1 plays once, 0 loops forever.
  const repetitions = loops === 0 ? 0 : loops === 1 ? -1 : loops - 1
  return {
    kind: 'ffmpeg',
    output: { file: FILE, options: ['-map', '[gif]', '-loop', String(repetitions)] },
    output_duration_seconds: seconds,
  }
}
