import type { Fragment } from '../edit.ts'
import type { MediaProbe, VideoTrack } from '../facts.ts'
import { ffmpegSeconds } from '../filters.ts'
import { isIndexed } from './containers.ts'

/** A part of the running picture and sound, in seconds. */
export interface Cut {
  start: number
  seconds: number
  /** Up to the end, however far it is: a measured length may miss the last frames. */
  to_end?: boolean
}

/** Times that a person typed or a container rounded are meant this well. */
const TOLERANCE_SECONDS = 0.001
/** Below this rate frames are taken one by one by their times, not by their beat. */
const EVEN_RATE_MIN = 10
/** Frames that stand in for a still picture come no closer than this. */
const STILL_SECONDS = 0.004

/** So near to the end there may be sound alone: the last frame is shown on. */
const TAIL_SECONDS = 0.5

/** The keyframe before may be missed by a little where pictures are stored out of order. */
const SEEK_MARGIN_SECONDS = 1
/** Without an index seeking is guesswork; broadcasts and camcorders have a keyframe far more often. */
const BLIND_SEEK_MARGIN_SECONDS = 30

/** Whether frames must be taken by their times: uneven ones, and slides that stand for seconds. */
export function isUneven(
  video: Pick<VideoTrack, 'frames_per_second' | 'variable_frame_rate' | 'interlaced'>,
): boolean {
  return video.variable_frame_rate === true || !(video.frames_per_second >= EVEN_RATE_MIN)
}

/** Where to start reading for a cut; the rest of the way is decoded and dropped. */
export function seekSeconds(probe: Pick<MediaProbe, 'container'>, { start }: Cut): number {
  return Math.max(0, start - (isIndexed(probe) ? SEEK_MARGIN_SECONDS : BLIND_SEEK_MARGIN_SECONDS))
}

/**
 * The picture from the frame that is seen at the start, which then begins at nought. A running picture
 * gets as many frames as fit the length; an uneven one keeps its times and is held until the end.
 */
export function cutPicture(cut: Cut, { container, video, duration_seconds }: MediaProbe): Fragment {
  const is_tail = cut.start > (video.duration_seconds ?? duration_seconds) - TAIL_SECONDS
  if (!is_tail && !isUneven(video)) return cutByBeat(cut, 1 / video.frames_per_second)
  // Only where there is an index the measured length is sure enough to hold the last frame until then.
  return cutByTimes({ ...cut, to_end: cut.to_end && !isIndexed({ container }) })
}

export function cutSound({ start, seconds, to_end }: Cut): Fragment {
  const end = to_end ? '' : `:end=${ffmpegSeconds(start + seconds)}`
  const from = ffmpegSeconds(start)
  return ({ input, output }) => `${input}atrim=start=${from}${end},asetpts=PTS-${from}/TB${output}`
}

function cutByBeat({ start, seconds, to_end }: Cut, frame_seconds: number): Fragment {
  // The first frame from here on is the one that is seen at the start.
  const from = Math.max(0, start - frame_seconds + tolerance(frame_seconds))
  const length = ffmpegSeconds(Math.max(seconds - frame_seconds / 2, frame_seconds / 2))
  const end = to_end ? '' : `,trim=end=${length}`
  return ({ input, output }) => `${input}trim=start=${ffmpegSeconds(from)},setpts=PTS-STARTPTS${end}${output}`
}

function tolerance(frame_seconds: number): number {
  return Math.min(TOLERANCE_SECONDS, frame_seconds / 4)
}

/**
 * Two branches: the last frame up to the start, repeated until the start comes; and all frames after
 * it. Frames are repeated at the end as well, so that a slide stays for as long as it should.
 */
function cutByTimes({ start, seconds, to_end }: Cut): Fragment {
  const [from, after] = [start, start + TOLERANCE_SECONDS].map(ffmpegSeconds)
  const end = ffmpegSeconds(start + Math.max(seconds - TOLERANCE_SECONDS, 2 * TOLERANCE_SECONDS))
  const held = 'tpad=stop=-1:stop_mode=clone'
  const still = `select=isnan(prev_selected_t)+gte(t-prev_selected_t\\,${STILL_SECONDS})`
  const whole = to_end ? 'null' : `trim=end=${end},${held},trim=end=${end},${still}`
  return ({ input, output, own }) =>
    [
      `${input}${whole},split${own('before')}${own('after')}`,
      `${own('before')}trim=end=${after},${held},trim=start=${from},trim=end_frame=1,setpts=0${own('first')}`,
      `${own('after')}trim=start=${after},setpts=PTS-${from}/TB${own('rest')}`,
      `${own('first')}${own('rest')}interleave${output}`,
    ].join(';')
}
