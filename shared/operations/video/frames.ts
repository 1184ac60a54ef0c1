import { ffmpegSeconds } from '../filters.ts'
import { KEYFRAME_SECONDS } from '../reading.ts'
import { type FfmpegStep, SOURCE } from '../steps.ts'
import { isIndexed } from './containers.ts'
import { seekSeconds } from './cut.ts'
import type { Moment } from './moments.ts'

/** How many moments a search looks at. */
const SAMPLES = 8
/** Up to this a search decodes the whole range; a longer one jumps from keyframe to keyframe. */
const DECODED_SECONDS_MAX = 20
const DECODED_BYTES_MAX = 8 * 1024 * 1024
/** What a keyframe alone makes ffmpeg read, about: a few packets behind it. */
const SAMPLED_SECONDS = 0.2
/** How far from a given moment a search looks. */
const NEAR_SECONDS = 5

/** What a frame is judged by: 8-bit brightness, entropy (0 flat, 1 noise) and blur (5 sharp, 25 smeared). */
const JUDGES = ['signalstats', 'entropy', 'blurdetect'].join(',')
const CLEAR = [
  keep('lavfi.signalstats.YAVG', 'greater', 30),
  keep('lavfi.signalstats.YAVG', 'less', 225),
  keep('lavfi.entropy.normalized_entropy.normal.Y', 'greater', 0.3),
].join(',')

/** From the best class of frames to the one that takes all. */
const CLASSES = [[CLEAR, keep('lavfi.blur', 'less', 7)], [CLEAR, keep('lavfi.blur', 'less', 12)], [CLEAR], []]

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
  const still = ({ inputs, filter_graph }: Reading): Reading => ({
    inputs,
    filter_graph: `${filter_graph};[picture]${colours}[still]`,
  })
  return {
    kind: 'ffmpeg',
    ...still(source),
    ...(source.otherwise && { otherwise: still(source.otherwise) }),
    output: {
      file: `${stem}.${format}`,
      options: ['-map', '[still]', '-frames:v', '1', '-update', '1', ...encoder],
    },
    output_duration_seconds: null,
  }
}

type Reading = Pick<FfmpegStep, 'inputs'> & { filter_graph: string }

/** Ways to read the video up to a picture: if the first shows none, the other does. */
export interface Source extends Reading {
  otherwise?: Reading
}

/** The same with its graph continued. */
export function continueSource({ otherwise, ...source }: Source, proceed: (graph: string) => string): Source {
  const proceeded = (reading: Reading) => ({ ...reading, filter_graph: proceed(reading.filter_graph) })
  return { ...proceeded(source), ...(otherwise && { otherwise: proceeded(otherwise) }) }
}

/** Inputs and graph that end in one frame, `[picture]`. `at` null: a search through the whole video. */
export function planFrame(wanted: Moment & { picture: string }): Source {
  const { at, smart, duration_seconds, size_bytes = 0, picture } = wanted
  if (!smart) return frameAt(at ?? 0, wanted, picture)
  const from = at === null ? 0 : Math.max(0, at - NEAR_SECONDS)
  const to = at === null ? duration_seconds : Math.min(duration_seconds, at + NEAR_SECONDS)
  const bytes = (size_bytes * (to - from)) / duration_seconds
  const is_long = to - from > DECODED_SECONDS_MAX || bytes > DECODED_BYTES_MAX
  const jumps = is_long && (at === null || isIndexed(wanted))
  const sampled = jumps ? sampleKeyframes(from, to, wanted) : sampleEvenly(from, to, wanted)
  return continueSource(sampled, (graph) => `${graph};${pickBest('[samples]', picture)}`)
}

/**
 * The first frame at or after the moment, and past the last frame that one: it is repeated without
 * end until the moment comes. With an index seeking stops at the keyframe before, so there always is a frame.
 */
function frameAt(at: number, { container, track }: Moment, picture: string): Source {
  const hold = `[0:${track}]tpad=stop=-1:stop_mode=clone`
  if (!isIndexed({ container })) {
    return readBlindly({ container }, at, (seek) => ({
      inputs: [{ file: SOURCE, options: blindSeek(seek), reads_seconds: at - seek + KEYFRAME_SECONDS }],
      filter_graph: `${hold},trim=start=${ffmpegSeconds(at - seek)},${picture}[picture]`,
    }))
  }
  return {
    inputs: [
      {
        file: SOURCE,
        options: ['-noaccurate_seek', '-ss', ffmpegSeconds(at)],
        reads_seconds: KEYFRAME_SECONDS,
      },
    ],
    filter_graph: `${hold},trim=start=0,${picture}[picture]`,
  }
}

/**
 * Without an index a seek may land behind the last keyframe, where nothing can be decoded: reading starts
 * well before the moment, and what is too early is decoded and dropped. Where even that shows nothing, all
 * from the start is.
 */
function readBlindly(
  probe: Pick<Moment, 'container'>,
  start: number,
  readFrom: (seek_seconds: number) => Reading,
): Source {
  const seek = seekSeconds(probe, { start, seconds: 0 })
  return seek === 0 ? readFrom(0) : { ...readFrom(seek), otherwise: readFrom(0) }
}

/** From the start there is no seek at all. */
function blindSeek(seek: number): string[] {
  return seek === 0 ? [] : ['-noaccurate_seek', '-ss', ffmpegSeconds(seek)]
}

function sampleEvenly(from: number, to: number, { container, track }: Moment): Source {
  const seconds = Math.max(to - from, 0.1)
  const fps = `fps=${ffmpegSeconds(SAMPLES / seconds)}`
  if (!isIndexed({ container })) {
    return readBlindly({ container }, from, (seek) => {
      const [start, end] = [from - seek, from - seek + seconds].map(ffmpegSeconds)
      return {
        inputs: [
          { file: SOURCE, options: blindSeek(seek), reads_seconds: from - seek + seconds + KEYFRAME_SECONDS },
        ],
        filter_graph: `[0:${track}]trim=start=${start}:end=${end},setpts=PTS-STARTPTS,${fps}[samples]`,
      }
    })
  }
  return {
    inputs: [
      {
        file: SOURCE,
        options: ['-ss', ffmpegSeconds(from), '-t', ffmpegSeconds(seconds)],
        reads_seconds: seconds + KEYFRAME_SECONDS,
      },
    ],
    filter_graph: `[0:${track}]${fps}[samples]`,
  }
}

/** Opens the file once for each moment and takes the keyframe there: little is read and decoded. */
function sampleKeyframes(from: number, to: number, { container, track }: Moment): Source {
  // Where seeking may find nothing, the first frame of all stands in.
  const finds = (number: number) => number > 0 || isIndexed({ container })
  const numbers = Array.from({ length: SAMPLES }, (_, number) => number)
  const moment = (number: number) => from + ((number + 0.5) / SAMPLES) * (to - from)
  const heads = numbers.map(
    (number) => `[${number}:${track}]trim=end_frame=1,setpts=PTS-STARTPTS[at${number}]`,
  )
  const labels = numbers.map((number) => `[at${number}]`).join('')
  return {
    inputs: numbers.map((number) => ({
      file: SOURCE,
      options: [
        '-threads',
        '1',
        '-thread_queue_size',
        '1',
        ...(finds(number) ? ['-noaccurate_seek', '-ss', ffmpegSeconds(moment(number))] : []),
      ],
      reads_seconds: SAMPLED_SECONDS,
    })),
    filter_graph: `${heads.join(';')};${labels}concat=n=${SAMPLES}[samples]`,
  }
}

/**
 * The classes of frames one behind another, in each only its most typical frame: the first frame that
 * comes at all is of the best class that has any.
 */
function pickBest(samples: string, picture: string): string {
  const branches = CLASSES.map(
    (filters, number) =>
      `[judged${number}]${[...filters, `thumbnail=n=${SAMPLES}`].join(',')}[class${number}]`,
  )
  const judged = CLASSES.map((_, number) => `[judged${number}]`).join('')
  const classes = CLASSES.map((_, number) => `[class${number}]`).join('')
  return [
    `${samples}${picture},format=yuv420p,${JUDGES},split=${CLASSES.length}${judged}`,
    ...branches,
    `${classes}concat=n=${CLASSES.length}[picture]`,
  ].join(';')
}

function keep(key: string, comparison: 'greater' | 'less', value: number): string {
  return `metadata=mode=select:key=${key}:function=${comparison}:value=${value}`
}
