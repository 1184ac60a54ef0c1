import { keepInSync } from '../ffmpeg/audio/sync.ts'
import type { Fragment } from '../ffmpeg/edit.ts'
import { ffmpegSeconds } from '../ffmpeg/filters.ts'
import type { TimeRange } from '../planning/facts.ts'

/** Short enough to be inaudible, long enough to avoid a click where two audio parts meet. */
const FADE_SECONDS = 0.008

/**
 * Returns the fragment that keeps these ranges of the video and closes the gaps. The edges of the ranges lie on
 * frames of this rate.
 */
export function keepVideo(keep: readonly TimeRange[], frames_per_second: number): Fragment {
  const half_frame = 0.5 / frames_per_second
  const rate = `fps=${ffmpegSeconds(frames_per_second)}`
  // If the video starts after the audio, its first frame is repeated from zero, because frames are counted below.
  const whole = `${rate}:start_time=0`
  if (keep.length === 1 && keep[0]?.start === 0) {
    const end = keep[0].end - half_frame
    return ({ input, output }) => `${input}${whole},trim=end=${ffmpegSeconds(end)}${output}`
  }
  const kept = isKept(keep, half_frame)
  // Kept frames have a constant rate, so their count gives their timestamps. The rate is restated because
  // setpts may drop it, and with it the duration of the last frame.
  const counted = `setpts=N/(${ffmpegSeconds(frames_per_second)}*TB),${rate}`
  return ({ input, output }) => `${input}${whole},select='${kept}',${counted}${output}`
}

/**
 * Returns an expression that is 1 for frames within the ranges. It is a tree, because ffmpeg limits sums to about a
 * hundred terms. Edges are half a frame early, so rounding cannot shift them.
 */
function isKept(keep: readonly TimeRange[], half_frame: number): string {
  const at = (seconds: number) => ffmpegSeconds(Math.max(0, seconds - half_frame))
  const middle = Math.floor(keep.length / 2)
  const [first, later] = [keep[0], keep[middle]]
  if (first === undefined || later === undefined) return '0'
  if (keep.length === 1) return `gte(t,${at(first.start)})*lt(t,${at(first.end)})`
  const [before, after] = [keep.slice(0, middle), keep.slice(middle)]
  return `if(lt(t,${at(later.start)}),${isKept(before, half_frame)},${isKept(after, half_frame)})`
}

/** Branches per split. Each audio frame passes through all of them. */
const BRANCHES = 20

/** Returns the fragment that keeps the same ranges of the audio, with sample accuracy. */
export function keepAudio(keep: readonly TimeRange[]): Fragment {
  return ({ input, output, own }) => {
    const parts = keep.map(({ start, end }, index) => {
      const range = `atrim=start=${ffmpegSeconds(start)}:end=${ffmpegSeconds(end)},asetpts=PTS-STARTPTS`
      const filters = [range, ...fades(end - start, index > 0, index < keep.length - 1)].join(',')
      return `${own(`part${index}`)}${filters}${own(`cut${index}`)}`
    })
    const joined = keep.map((_, index) => own(`cut${index}`)).join('')
    return [
      `${input}${keepInSync()}${own('whole')}`,
      ...splitAudio(keep, own),
      ...parts,
      `${joined}concat=n=${keep.length}:v=0:a=1${output}`,
    ].join(';')
  }
}

/** Splits the audio into groups of ranges, trims each group roughly, and splits it into its ranges. */
function splitAudio(keep: readonly TimeRange[], own: (name: string) => string): string[] {
  const starts = keep.flatMap((_, index) => (index % BRANCHES === 0 ? [index] : []))
  const groups = starts.map((from) => {
    const ranges = keep.slice(from, from + BRANCHES)
    const [start, end] = [ranges[0]?.start ?? 0, ranges.at(-1)?.end ?? 0]
    const pads = ranges.map((_, index) => own(`part${from + index}`)).join('')
    const rough = `atrim=start=${ffmpegSeconds(start)}:end=${ffmpegSeconds(end)}`
    return `${own(`group${from}`)}${rough},asplit=${ranges.length}${pads}`
  })
  return [
    `${own('whole')}asplit=${starts.length}${starts.map((from) => own(`group${from}`)).join('')}`,
    ...groups,
  ]
}

function fades(seconds: number, after_cut: boolean, before_cut: boolean): string[] {
  const fade = Math.min(FADE_SECONDS, seconds / 2)
  return [
    ...(after_cut ? [`afade=t=in:d=${ffmpegSeconds(fade)}`] : []),
    ...(before_cut ? [`afade=t=out:st=${ffmpegSeconds(seconds - fade)}:d=${ffmpegSeconds(fade)}`] : []),
  ]
}
