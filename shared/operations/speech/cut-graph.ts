import type { Fragment } from '../edit.ts'
import type { TimeRange } from '../facts.ts'
import { ffmpegSeconds } from '../filters.ts'

/** So short that it is not heard, and long enough to spare a click where two ends of sound meet. */
const FADE_SECONDS = 0.008

/** Keeps these ranges of the picture, their ends on frames of this rate, each moved up to the one before. */
export function keepPicture(keep: readonly TimeRange[], frames_per_second: number): Fragment {
  const half_frame = 0.5 / frames_per_second
  const rate = `fps=${ffmpegSeconds(frames_per_second)}`
  if (keep.length === 1 && keep[0]?.start === 0) {
    const end = keep[0].end - half_frame
    return ({ input, output }) => `${input}${rate},trim=end=${ffmpegSeconds(end)}${output}`
  }
  // Half a frame early, so that no rounding decides about the frame on the edge.
  const at = (seconds: number) => ffmpegSeconds(Math.max(0, seconds - half_frame))
  const kept = keep.map(({ start, end }) => `gte(t,${at(start)})*lt(t,${at(end)})`).join('+')
  // What is kept are whole frames of one rate, so that counting them gives their times.
  return ({ input, output }) =>
    `${input}${rate},select='${kept}',setpts=N/(${ffmpegSeconds(frames_per_second)}*TB)${output}`
}

/** Keeps the same ranges of the sound, exact to the sample. */
export function keepSound(keep: readonly TimeRange[]): Fragment {
  return ({ input, output, own }) => {
    const parts = keep.map((_, index) => own(`part${index}`))
    const cut = keep.map(({ start, end }, index) => {
      const range = `atrim=start=${ffmpegSeconds(start)}:end=${ffmpegSeconds(end)},asetpts=PTS-STARTPTS`
      return `${parts[index]}${[range, ...fades(end - start, index > 0, index < keep.length - 1)].join(',')}${own(`cut${index}`)}`
    })
    const joined = keep.map((_, index) => own(`cut${index}`)).join('')
    return [
      `${input}aresample=async=1:first_pts=0,asplit=${keep.length}${parts.join('')}`,
      ...cut,
      `${joined}concat=n=${keep.length}:v=0:a=1${output}`,
    ].join(';')
  }
}

function fades(seconds: number, after_cut: boolean, before_cut: boolean): string[] {
  const fade = Math.min(FADE_SECONDS, seconds / 2)
  return [
    ...(after_cut ? [`afade=t=in:d=${ffmpegSeconds(fade)}`] : []),
    ...(before_cut ? [`afade=t=out:st=${ffmpegSeconds(seconds - fade)}:d=${ffmpegSeconds(fade)}`] : []),
  ]
}
