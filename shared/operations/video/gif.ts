import { z } from 'zod'
import { checkSeek, cutFilters, cutSeeks, readCut } from '../../ffmpeg/cuts/cut.ts'
import type { Cut } from '../../ffmpeg/cuts/cut-range.ts'
import { readFromFirst, type Source } from '../../ffmpeg/cuts/source.ts'
import { partOf } from '../../ffmpeg/cuts/timestamps.ts'
import { encodedSize, ffmpegSeconds } from '../../ffmpeg/filters.ts'
import { alphaLoss } from '../../ffmpeg/video/alpha.ts'
import { pictureFilters } from '../../ffmpeg/video/colors.ts'
import type { Size } from '../../ffmpeg/video/frame-size.ts'
import { steadyPicture } from '../../ffmpeg/video/steady.ts'
import type { MediaProbe, VideoTrack } from '../../planning/facts.ts'
import { defineOperation } from '../../planning/operation.ts'
import { type FfmpegInput, type FfmpegStep, SOURCE } from '../../planning/steps.ts'

const FILE = 'animation.gif'
const PALETTE = 'palette.png'
/** Without a width: wide enough to see, small enough to send. */
const WIDTH_DEFAULT = 480
/**
 * As many pixels show what colours there are: of more, every frame gives some. Millions of colours are
 * sorted in the end, and while that goes on ffmpeg tells nothing.
 */
const PALETTE_PIXELS_MAX = 16_000_000

/**
 * The palette comes when all frames have been seen. Until then ffmpeg has no output to tell progress by:
 * the frames tell their own times, and so they do when they are drawn.
 */
const TELL_FRAMES = 'metadata=mode=add:key=seen:value=1,metadata=mode=print:file=-:direct=1'

const DITHERS = { none: 'none', ordered: 'bayer:bayer_scale=5', smooth: 'sierra2_4a' } as const

/** Videos, to an animated picture, its palette made of its own frames (Contract: Video operations). */
export const gif = defineOperation({
  service: 'video',
  key: 'gif',
  title: 'Video to GIF',
  description: 'Makes an animated GIF of a part of the video, with the colours that fit it best.',
  credits: 3,
  accepts: ['video'],
  family: null,
  facts: ['probe'],
  parameters: z.object({
    start: z.number().min(0).default(0).describe('Where the part begins, in seconds'),
    duration: z
      .number()
      .min(1)
      .max(60)
      .default(5)
      .describe('Length of the part in seconds, at most to the end'),
    fps: z.number().min(1).max(30).default(12).describe('Frames per second; fewer make a smaller file'),
    width: z
      .int()
      .min(16)
      .max(1920)
      .optional()
      .describe("Width in pixels, the height follows; omitted, the video's own, at most 480"),
    loops: z.int().min(0).max(1000).default(0).describe('How often it plays; 0, without end'),
    colors: z
      .int()
      .min(4)
      .max(256)
      .default(256)
      .describe('Colours of the palette; fewer make a smaller file'),
    dither: z
      .enum(['none', 'ordered', 'smooth'])
      .default('ordered')
      .describe('How colours between those of the palette are shown; none makes the smallest file'),
  }),
  presets: [
    { label: 'For messengers', params: { duration: 5, fps: 12, width: 480 } },
    { label: 'Small', params: { duration: 3, fps: 10, width: 320, colors: 128 } },
    { label: 'Smooth and large', params: { duration: 5, fps: 25, width: 720, dither: 'smooth' } },
  ],
  plan({ params, facts: { probe } }) {
    const part = partOf(probe, params)
    if ('refused' in part) return part
    const size = gifSize(probe.video, params.width)
    const cut = { ...part, to_end: part.start + part.seconds >= probe.duration_seconds }
    const steady = steadyPicture(probe)
    // A part of less than one frame is one.
    const fps = Math.max(params.fps, 1 / part.seconds)
    const read = (proceed: (frames: string) => string, ...others: FfmpegInput[]): Source =>
      readFromFirst(cutSeeks(probe, cut), (start) => {
        const { options, reads_seconds } = readCut(cut, probe, start)
        return {
          inputs: [{ file: SOURCE, options: [...steady.options, ...options], reads_seconds }, ...others],
          filter_graph: proceed(showFrames(cut, probe, start, fps, size)),
        }
      })
    const sample = samplePixels(size, fps * part.seconds)
    const palette = `palettegen=max_colors=${params.colors}`
    const use = `paletteuse=dither=${DITHERS[params.dither]}:diff_mode=rectangle`
    const write = writeStep(params.loops, part.seconds)
    // Two runs: in one, every frame waits in memory for the palette, and then nothing is written or told
    // until all of them are drawn. The bytes are the same, and a large source's parts are fetched once.
    const steps: FfmpegStep[] = [
      paletteStep(
        read((frames) => `${[frames, ...sample, TELL_FRAMES, palette].join(',')}[palette]`),
        part.seconds,
      ),
      {
        ...write,
        ...read((frames) => `${frames}[shown];[shown][1:v]${use},${TELL_FRAMES}[gif]`, {
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

/** Capped as every full re-encode is; a GIF's sides need not be even. */
function gifSize(video: VideoTrack, asked: number | undefined): Size {
  const width = asked ?? Math.min(WIDTH_DEFAULT, video.width)
  const size = { width, height: Math.max(1, Math.round((video.height * width) / video.width)) }
  const capped = encodedSize(size)
  return capped.width < size.width - 1 ? capped : size
}

/** Whole frames first, those of the part, then only as many as are shown, and only those are scaled. */
function showFrames(cut: Cut, probe: MediaProbe, seek_seconds: number, fps: number, size: Size): string {
  const { video } = probe
  const filters = [
    ...steadyPicture(probe).filters,
    ...checkSeek(cut, probe, seek_seconds),
    ...(video.interlaced ? ['bwdif=mode=send_frame'] : []),
    ...cutFilters(cut, probe, seek_seconds),
    `fps=${ffmpegSeconds(fps)}`,
    pictureFilters({ ...video, interlaced: false }, size),
  ]
  return `[0:${video.index}]${filters.join(',')}`
}

/** Picks pixels of every frame, as they are, where all frames together have too many for a palette. */
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
  // What ffmpeg counts is how often it starts over: -1 for never.
  const again = loops === 0 ? 0 : loops === 1 ? -1 : loops - 1
  return {
    kind: 'ffmpeg',
    output: { file: FILE, options: ['-map', '[gif]', '-loop', String(again)] },
    output_duration_seconds: seconds,
  }
}
