import { z } from 'zod'
import { Color } from '../../ffmpeg/color.ts'
import { similarVideo } from '../../ffmpeg/compressed-video.ts'
import { cutProbe, endAtDuration } from '../../ffmpeg/cuts/cut.ts'
import { partOf } from '../../ffmpeg/cuts/timestamps.ts'
import { defineVideoEdit } from '../../ffmpeg/define-edit.ts'
import { chain, type Fragment, videoEdit, withSize } from '../../ffmpeg/edit.ts'
import { playedAudio } from '../../ffmpeg/played-audio.ts'
import { RATE_TARGETS } from '../../ffmpeg/rate/targets.ts'
import type { MediaProbe } from '../../planning/facts.ts'

/**
 * Limits of a Telegram video message: square, up to 640 pixels and 60 seconds. At this bitrate, 60 seconds take
 * about 10 MB; the apps automatically download up to 12 MB.
 */
const SECONDS_MAX = 60
const DIAMETER_MAX = 640
const FRAMES_PER_SECOND_MAX = 30
const RATE = RATE_TARGETS.circle
const VIDEO_ENCODER = [
  ...similarVideo('h264', { crf: RATE.lowest, preset: 'fast' }),
  ...['-maxrate', '1200k', '-bufsize', '1200k'],
]
const AUDIO_ENCODER = ['-c:a', 'aac', '-b:a', '96k', '-ac', '2']

/** Creates a round video message for messengers (Contract: Video operations, Full re-encode). */
export const circle = defineVideoEdit({
  key: 'circle',
  stem: 'circle',
  title: 'Round video',
  description:
    'Creates a round video message: a square video of up to 60 seconds that Telegram and others show as a circle.',
  credits: 3,
  family: null,
  facts: ['probe'],
  parameters: z.object({
    start: z.number().min(0).default(0).describe('Start of the clip in seconds'),
    duration: z
      .number()
      .min(0.5)
      .max(SECONDS_MAX)
      .default(SECONDS_MAX)
      .describe('Duration of the clip in seconds, limited to the end of the video'),
    diameter: z
      .int()
      .min(64)
      .max(DIAMETER_MAX)
      .multipleOf(2, 'must be an even number')
      .default(DIAMETER_MAX)
      .describe('Width and height in pixels, an even number'),
    zoom: z
      .number()
      .min(1)
      .max(10)
      .default(1)
      .describe('Zoom factor: 1 shows the largest square that fits, 2 half its width'),
    offset_x: z
      .number()
      .min(-1)
      .max(1)
      .default(0)
      .describe('Horizontal position of the square: -1 is the left edge, 0 the center, 1 the right edge'),
    offset_y: z
      .number()
      .min(-1)
      .max(1)
      .default(0)
      .describe('Vertical position of the square: -1 is the top edge, 0 the center, 1 the bottom edge'),
    bg_color: Color.optional().describe(
      'Draws the circle on a background of this color. Default: a plain square, which messengers mask themselves',
    ),
  }),
  presets: [
    { label: 'Telegram', params: {} },
    { label: 'First 15 seconds', params: { duration: 15 } },
    { label: 'Closer', params: { zoom: 1.5 } },
    { label: 'Round on white', params: { bg_color: '#ffffff' } },
  ],
  edit({ params, facts: { probe } }) {
    const part = partOf(probe, params)
    if ('refused' in part) return part
    const cut = { ...part, never_longer: true as const }
    const { diameter, bg_color } = params
    const filters = [
      cropSquare(probe.video, params),
      `scale=${diameter}:${diameter}`,
      'setsar=1',
      ...(cutProbe(cut, probe).video.frames_per_second > FRAMES_PER_SECOND_MAX
        ? [`fps=${FRAMES_PER_SECOND_MAX}`, ...endAtDuration(cut.seconds, FRAMES_PER_SECOND_MAX)]
        : []),
    ].join(',')
    const video = bg_color === undefined ? chain(filters) : drawCircle(filters, diameter, bg_color)
    return videoEdit(probe, {
      ...{ cut, video, samples: { video } },
      tracks: 'played',
      encoding: { container: 'mp4', video: VIDEO_ENCODER, rate: RATE, audio: AUDIO_ENCODER },
      after: afterCircle(cutProbe(cut, probe), diameter),
    })
  },
})

/** Crops by fractions of the frame, because its pixels may not be square. */
function cropSquare(
  { width, height }: { width: number; height: number },
  { zoom, offset_x, offset_y }: { zoom: number; offset_x: number; offset_y: number },
): string {
  const side = Math.min(width, height) / zoom
  const along = (length: number, offset: number) => ({
    size: (side / length).toFixed(6),
    start: (((1 - side / length) * (1 + offset)) / 2).toFixed(6),
  })
  const [x, y] = [along(width, offset_x), along(height, offset_y)]
  return `crop=iw*${x.size}:ih*${y.size}:iw*${x.start}:ih*${y.start}`
}

/**
 * Draws the background color outside a soft-edged circle. The mask is drawn once and overlaid on every frame.
 */
function drawCircle(filters: string, diameter: number, color: string): Fragment {
  const [red, green, blue] = [1, 3, 5].map((index) => Number.parseInt(color.slice(index, index + 2), 16))
  const radius = diameter / 2
  const outside = `255*clip(hypot(X-${radius - 0.5},Y-${radius - 0.5})-${radius - 0.5},0,1)`
  const size = `${diameter}x${diameter}`
  return ({ input, output, own }) =>
    [
      `color=black:s=${size}:r=1:d=1,format=rgba,geq=r=${red}:g=${green}:b=${blue}:a='${outside}'${own('mask')}`,
      `${input}${filters}${own('square')}`,
      `${own('square')}${own('mask')}overlay=format=yuv444${output}`,
    ].join(';')
}

function afterCircle(probe: MediaProbe, diameter: number): MediaProbe {
  const after = withSize(probe, { width: diameter, height: diameter })
  return {
    ...after,
    audio: playedAudio(probe.audio),
    video: {
      ...after.video,
      frames_per_second: Math.min(probe.video.frames_per_second, FRAMES_PER_SECOND_MAX),
    },
  }
}
