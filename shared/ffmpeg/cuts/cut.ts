import type { MediaProbe, VideoTrack } from '../../planning/facts.ts'
import { chain, type Fragment, withRate } from '../edit.ts'
import { FINE_TIMES, ffmpegSeconds } from '../filters.ts'
import { isIndexed } from '../output/containers.ts'
import { exactRate, ffmpegRate } from '../video/frame-rate.ts'
import type { Cut } from './cut-range.ts'
import { KEYFRAME_SECONDS } from './keyframe-seconds.ts'
import { dropLate, seekOptions } from './source.ts'
import { fromKeyframe, type Seekable, unindexedSeeks } from './unindexed-seek.ts'

/** Tolerance for timestamps that callers or containers round to milliseconds. */
const TOLERANCE_SECONDS = 0.0015
/** Videos below this rate are slideshows: their frames are cut by timestamp, not by rate. */
const SLIDESHOW_RATE_MAX = 10
/** Part of a frame by which a limit may be exceeded, because rates are rounded. */
const LIMIT_TOLERANCE = 0.01
/** This close to the end, there may be only audio; the last frame is then repeated. */
const TAIL_SECONDS = 0.5

/** Repeats the last frame; a later filter ends the video. */
const HOLD_LAST = 'tpad=stop=-1:stop_mode=clone'

/** A seek may narrowly miss the previous keyframe if frames are reordered. */
const SEEK_MARGIN_SECONDS = 1

/** Checks whether the times of frames do not follow from a rate, as in slideshows and variable-frame-rate videos. */
export function hasVariableRate(
  video: Pick<VideoTrack, 'frames_per_second' | 'variable_frame_rate' | 'interlaced'>,
): boolean {
  return video.variable_frame_rate === true || isSlideShow(video)
}

/** Checks whether frames must be cut by timestamp, because they lie on no grid. */
export function isCutByTimestamp(video: VideoTrack): boolean {
  return isSlideShow(video) || (hasVariableRate(video) && video.base_rate === undefined)
}

/** Returns the rate of the frames where none is missing. */
export function gridRateOf({ base_rate, frames_per_second }: VideoTrack): number {
  return base_rate ?? frames_per_second
}

/** Checks whether frames last so long that a copy, which keeps whole frames, would end far too late. */
export function isSlideShow({ frames_per_second }: Pick<VideoTrack, 'frames_per_second'>): boolean {
  return !(frames_per_second >= SLIDESHOW_RATE_MAX)
}

/**
 * Returns the start positions to try for a cut, in order, until one yields a keyframe at or before the start of the
 * cut. Frames before the cut are decoded and dropped. The last position is zero.
 */
export function cutSeeks(probe: Seekable, { start }: Cut): number[] {
  if (!isIndexed(probe)) return unindexedSeeks(probe, start)
  return probe.clock_restarts || start <= SEEK_MARGIN_SECONDS ? [0] : [start - SEEK_MARGIN_SECONDS, 0]
}

/** Returns the input options that read a cut from this position. */
export function readCut(
  cut: Cut,
  probe: MediaProbe,
  seek_seconds: number,
): { options: string[]; reads_seconds: number } {
  return {
    options: seekOptions(probe, seek_seconds),
    reads_seconds: cut.start - seek_seconds + cut.seconds + KEYFRAME_SECONDS,
  }
}

/**
 * Returns filters that output nothing if the first decoded frame comes after the start. A seek may land after the
 * required keyframe, and the video would then start late. The step falls back to an earlier position.
 */
export function checkSeek({ start }: Cut, { container, video }: MediaProbe, seek_seconds: number): string[] {
  if (seek_seconds === 0) return []
  const latest = Math.max(start, video.start_seconds ?? 0) - seek_seconds + TOLERANCE_SECONDS
  // In indexed files, seeks land late so rarely that it is acceptable to decode to the end of the file when one does.
  if (isIndexed({ container })) return [`select='lte(start_t,${ffmpegSeconds(latest)})'`]
  return [...fromKeyframe(video.codec), ...dropLate(latest)]
}

/**
 * Returns the fragment that begins with the frame displayed at the start of the cut, at timestamp zero. Reading has
 * already skipped `seek_seconds`.
 */
export function cutVideo(requested: Cut, probe: MediaProbe, seek_seconds = 0): Fragment {
  return chain(...cutFilters(requested, probe, seek_seconds))
}

/** Returns the same cut as a list of filters. */
export function cutFilters(requested: Cut, probe: MediaProbe, seek_seconds = 0): string[] {
  const { container, video } = probe
  const cut = { ...requested, start: requested.start - seek_seconds }
  const count = countFrames(requested, probe)
  const by_timestamp = isCutByTimestamp(video)
  const is_held = by_timestamp || isTail(requested, probe)
  // Repeats the last frame up to the measured duration only with an index; otherwise the duration is unreliable.
  const is_open = requested.to_end === true && !(is_held && isIndexed({ container }))
  const rate = constantRateOf(video)
  const end = is_open ? [] : [`trim=end=${ffmpegSeconds((count - 0.5) / exactRate(rate))}`]
  const first_seconds = firstFrameSeconds(requested, probe) - seek_seconds
  return [
    FINE_TIMES,
    ...(is_held && !is_open ? [HOLD_LAST] : []),
    by_timestamp
      ? placeByTimestamp(cut, rate, is_open ? null : count)
      : startAt(cut.start, first_seconds, 1 / rate),
    // Restates the rate, which setpts may drop, and fills gaps with the previous frame.
    rateFilter(rate),
    FINE_TIMES,
    ...end,
  ]
}

/** Returns how many frames a cut has at its constant rate. */
function countFrames(cut: Cut, probe: MediaProbe): number {
  const rate = exactRate(constantRateOf(probe.video))
  const first_seconds = firstFrameSeconds(cut, probe)
  const seconds = endSeconds(cut, first_seconds) - first_seconds
  const count = cut.never_longer
    ? Math.floor(cut.seconds * rate + LIMIT_TOLERANCE)
    : Math.ceil((seconds - tolerance(1 / rate)) * rate)
  return Math.max(1, count)
}

/**
 * Returns filters that convert a whole video to a constant frame rate. Frames carry no end time, so the last one is
 * repeated up to the duration if it is reliable. The duration of the video track alone is not reliable, because
 * muxers that count in decoding order report too little.
 */
export function constantRateFilters(
  { container, video, duration_seconds, exact_length }: MediaProbe,
  rate: number,
): string[] {
  if (hasVariableRate(video) && isIndexed({ container }))
    return [rateFilter(rate), HOLD_LAST, ...endAtDuration(duration_seconds, rate)]
  return exact_length ? [rateFilter(rate), ...endAtDuration(duration_seconds, rate)] : [rateFilter(rate)]
}

/** Returns the filter that drops and repeats frames to get a constant rate. */
export function rateFilter(rate: number): string {
  return `fps=fps=${ffmpegRate(rate)}:start_time=0`
}

/**
 * Returns filters that end the video at this duration. After a cut, fps repeats the last frame up to the last
 * packet read.
 */
export function endAtDuration(seconds: number, rate: number): string[] {
  const half_frame = 0.5 / rate
  return [FINE_TIMES, `trim=end=${ffmpegSeconds(Math.max(seconds - half_frame, half_frame))}`]
}

/** Returns a copy of the probe that describes the video after a cut. */
export function cutProbe(cut: Cut, probe: MediaProbe): MediaProbe {
  const { exact_length: _, ...uncut } = probe
  const rate = constantRateOf(probe.video)
  const after = {
    ...uncut,
    ...(!cut.to_end && { exact_length: true as const }),
    duration_seconds: cut.to_end ? cut.seconds : countFrames(cut, probe) / exactRate(rate),
    video: { ...probe.video, duration_seconds: null },
  }
  return withRate(after, rate)
}

/** Checks whether a cut may begin after the last frame, which then has to be repeated. */
function isTail({ start }: Cut, { video, duration_seconds }: MediaProbe): boolean {
  return start > (video.duration_seconds ?? duration_seconds) - TAIL_SECONDS
}

/** Returns the fragment that starts the audio at the first kept frame, to keep audio and video in sync. */
export function cutAudio(cut: Cut, probe: MediaProbe, seek_seconds = 0): Fragment {
  const first_seconds = firstFrameSeconds(cut, probe)
  const [from, to] = [first_seconds, endSeconds(cut, first_seconds)].map((seconds) =>
    ffmpegSeconds(seconds - seek_seconds),
  )
  const end = cut.to_end ? '' : `:end=${to}`
  return ({ input, output }) => `${input}atrim=start=${from}${end},asetpts=PTS-${from}/TB${output}`
}

/** Returns where a cut ends. If it ends before the first frame of a late video, it begins with that frame instead. */
function endSeconds({ start, seconds, never_longer }: Cut, first_seconds: number): number {
  const moves = never_longer || start + seconds <= first_seconds
  return (moves ? first_seconds : start) + seconds
}

/** Returns the timestamp of the first kept frame. In a cut by timestamp, that is the start of the cut. */
export function firstFrameSeconds(cut: Cut, probe: MediaProbe): number {
  if (isCutByTimestamp(probe.video)) return cut.start
  const { start_seconds = 0 } = probe.video
  const frame_seconds = 1 / exactRate(gridRateOf(probe.video))
  const count = Math.ceil((firstFrameFrom(cut.start, frame_seconds) - start_seconds) / frame_seconds)
  return start_seconds + Math.max(0, count) * frame_seconds
}

/** Returns the earliest possible timestamp of the frame that is displayed at the start. */
function firstFrameFrom(start: number, frame_seconds: number): number {
  return Math.max(0, start - frame_seconds + tolerance(frame_seconds))
}

/**
 * Shifts timestamps to put the first kept frame at zero, even if it is slightly off the rate. If that frame is
 * missing, its expected timestamp becomes zero, so later frames stay in sync.
 */
function startAt(start: number, first_seconds: number, frame_seconds: number): string {
  const from = firstFrameFrom(start, frame_seconds)
  const [earliest, latest] = [from, from + frame_seconds].map(ffmpegSeconds)
  const place = `${ffmpegSeconds(first_seconds)}/TB`
  const first = `st(0,1)*st(1,if(lt(T,${latest}),PTS,${place}))`
  return `setpts='PTS-if(ld(0),ld(1),if(lt(T,${earliest}),${place},${first}))'`
}

function tolerance(frame_seconds: number): number {
  return Math.min(TOLERANCE_SECONDS, frame_seconds / 4)
}

/**
 * Places frames of a variable rate on the grid of a constant one. The first place is for the frame displayed at the start
 * of the cut, even if the next one follows soon, and the last place for the last frame that is displayed in it.
 * @param count places; null if the cut has no end.
 */
function placeByTimestamp({ start, seconds }: Cut, rate: number, count: number | null): string {
  const place = (frames: number) => `${ffmpegSeconds(frames / rate)}/TB`
  const [begin, end] = [start + TOLERANCE_SECONDS, start + seconds - TOLERANCE_SECONDS].map(ffmpegSeconds)
  const at = `PTS-${ffmpegSeconds(start)}/TB`
  // A frame goes to the nearest place, so a little more than half is the second one.
  const later = (limited: string) => `max(${limited},${place(0.51)})`
  if (count === null) return `setpts='if(lt(T,${begin}),${at},${later(at)})'`
  const within = later(`min(${at},${place(count - 1)})`)
  return `setpts='if(lt(T,${begin}),${at},if(lt(T,${end}),${within},max(${at},${place(count)})))'`
}

/**
 * Chooses the constant rate of a cut. For frames on no grid, it is 30 for phone video, which varies slightly around it,
 * and 60 for screen recordings, which come in bursts.
 */
function constantRateOf(video: VideoTrack): number {
  if (!isCutByTimestamp(video)) return gridRateOf(video)
  return isSlightlyVariable(video) ? 30 : 60
}

/** Checks whether the rate varies only slightly around 30 frames per second, as in phone video. */
export function isSlightlyVariable({ frames_per_second }: VideoTrack): boolean {
  return frames_per_second > 20 && frames_per_second < 30.5
}
