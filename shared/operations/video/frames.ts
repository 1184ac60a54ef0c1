import { ffmpegSeconds } from '../filters.ts'
import { KEYFRAME_SECONDS } from '../reading.ts'
import { type FfmpegStep, SOURCE } from '../steps.ts'
import { blindSeeks, fromKeyframe } from './blind-seek.ts'
import { isIndexed } from './containers.ts'
import { HOLD_LAST } from './cut.ts'
import type { Moment } from './moments.ts'
import { checkReading, continueSource, readFromFirst, type Source, seekOptions } from './picture-source.ts'
import { searchFrame } from './samples.ts'
import { lookOptions } from './short-look.ts'

/** How one picture is written: JPEG and WebP are BT.601 whatever the video is, or colours would shift. */
const STILLS = {
  jpg: {
    colours: 'scale=out_color_matrix=bt601:out_range=full,format=yuvj420p',
    encoder: ['-c:v', 'mjpeg', '-q:v', '2'],
  },
  png: { colours: 'format=rgb24', encoder: ['-c:v', 'png'] },
  webp: {
    colours: 'scale=out_color_matrix=bt601:out_range=limited,format=yuv420p',
    encoder: ['-c:v', 'libwebp', '-quality', '85'],
  },
} as const
type StillFormat = keyof typeof STILLS

/** Writes the first picture of the graph's `[picture]`, as `{stem}.{format}`. */
export function stillStep(source: Source, stem: string, format: StillFormat): FfmpegStep {
  const { colours, encoder } = STILLS[format]
  return {
    kind: 'ffmpeg',
    ...continueSource(source, (graph) => `${graph};[picture]${colours}[still]`),
    output: {
      file: `${stem}.${format}`,
      options: ['-map', '[still]', '-frames:v', '1', '-update', '1', ...encoder],
    },
    output_duration_seconds: null,
  }
}

/** Inputs and graph that end in one frame, `[picture]`. `at` null: a search through the whole video. */
export function planFrame(wanted: Moment & { picture: string }): Source {
  return wanted.smart ? searchFrame(wanted) : frameAt(wanted.at ?? 0, wanted, wanted.picture)
}

/**
 * The first frame at or after the moment, and past the last frame that one: it is repeated without end until
 * the moment comes. With an index seeking stops at the keyframe before, which is near enough; without one
 * reading starts well before the moment, and what is too early is decoded and dropped.
 */
function frameAt(at: number, wanted: Moment, picture: string): Source {
  const { track, steady } = wanted
  const is_indexed = isIndexed(wanted)
  return readFromFirst(is_indexed ? [at] : blindSeeks(wanted, at), (start) => {
    const filters = [
      ...(is_indexed || start === 0 ? [] : fromKeyframe(wanted.codec)),
      ...steady.filters,
      ...checkReading(start, at),
      HOLD_LAST,
      `trim=start=${ffmpegSeconds(at - start)}`,
      picture,
    ]
    return {
      inputs: [
        {
          file: SOURCE,
          options: [...steady.options, ...lookOptions(wanted), ...seekOptions(start)],
          reads_seconds: at - start + KEYFRAME_SECONDS,
        },
      ],
      filter_graph: `[0:${track}]${filters.join(',')}[picture]`,
    }
  })
}
