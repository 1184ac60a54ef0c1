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
/** This close to the end, there may be only audio; the last frame is then repeated. */
const TAIL_SECONDS = 0.5

/** Repeats the last frame; a later filter ends the video. */
const HOLD_LAST = 'tpad=stop=-1:stop_mode=clone'

/** A seek may narrowly miss the previous keyframe if frames are reordered. */
const SEEK_MARGIN_SECONDS = 1

/** Checks whether frames must be cut by timestamp, as in slideshows and variable-frame-rate videos. */
export function hasVariableRate(
  video: Pick<VideoTrack, 'frames_per_second' | 'variable_frame_rate' | 'interlaced'>,
): boolean {
  return video.variable_frame_rate === true || isSlideShow(video)
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
  if (!needsConstantRate(requested, probe))
    return cutConstantRate(cut, firstFrameSeconds(requested, probe) - seek_seconds, video.frames_per_second)
  // Repeats the last frame up to the measured duration only with an index; otherwise the duration is unreliable.
  return cutVariableRate({ ...cut, to_end: cut.to_end && !isIndexed({ container }) }, constantRateOf(video))
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
  const rate_filter = `fps=fps=${ffmpegRate(rate)}:start_time=0`
  if (hasVariableRate(video) && isIndexed({ container }))
    return [rate_filter, HOLD_LAST, ...endAtDuration(duration_seconds, rate)]
  return exact_length ? [rate_filter, ...endAtDuration(duration_seconds, rate)] : [rate_filter]
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
  const after = {
    ...uncut,
    ...(!cut.to_end && { exact_length: true as const }),
    duration_seconds: cut.seconds,
    video: { ...probe.video, duration_seconds: null, start_seconds: 0 },
  }
  return needsConstantRate(cut, probe) ? withRate(after, constantRateOf(probe.video)) : after
}

function needsConstantRate({ start }: Cut, { video, duration_seconds }: MediaProbe): boolean {
  const is_tail = start > (video.duration_seconds ?? duration_seconds) - TAIL_SECONDS
  return is_tail || hasVariableRate(video)
}

/** Returns the fragment that starts the audio at the first kept frame, to keep audio and video in sync. */
export function cutAudio(cut: Cut, probe: MediaProbe, seek_seconds = 0): Fragment {
  const start = firstFrameSeconds(cut, probe) - seek_seconds
  const end = cut.to_end ? '' : `:end=${ffmpegSeconds(start + cut.seconds)}`
  const from = ffmpegSeconds(start)
  return ({ input, output }) => `${input}atrim=start=${from}${end},asetpts=PTS-${from}/TB${output}`
}

/** Returns the timestamp of the first kept frame. In a cut by timestamp, that is the start of the cut. */
export function firstFrameSeconds(cut: Cut, probe: MediaProbe): number {
  if (needsConstantRate(cut, probe)) return cut.start
  const { frames_per_second, start_seconds = 0 } = probe.video
  const frame_seconds = 1 / exactRate(frames_per_second)
  const count = Math.ceil((firstFrameFrom(cut.start, frame_seconds) - start_seconds) / frame_seconds)
  return start_seconds + Math.max(0, count) * frame_seconds
}

/** Returns the earliest possible timestamp of the frame that is displayed at the start. */
function firstFrameFrom(start: number, frame_seconds: number): number {
  return Math.max(0, start - frame_seconds + tolerance(frame_seconds))
}

/**
 * Cuts a video with a constant frame rate at the frame displayed at the start. fps restates the rate, which setpts
 * may drop, and fills gaps with the previous frame.
 * @param first_seconds timestamp of that frame according to the rate; the audio is cut there.
 */
function cutConstantRate(
  { start, seconds, to_end }: Cut,
  first_seconds: number,
  frames_per_second: number,
): string[] {
  const frame_seconds = 1 / frames_per_second
  const length = ffmpegSeconds(Math.max(seconds - frame_seconds / 2, frame_seconds / 2))
  const end = to_end ? [] : [`trim=end=${length}`]
  const rate_filter = `fps=fps=${ffmpegRate(frames_per_second)}:start_time=0`
  return [FINE_TIMES, startAt(start, first_seconds, frame_seconds), rate_filter, FINE_TIMES, ...end]
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
 * Converts a variable frame rate to a constant one. The result starts with the frame displayed at the cut and ends
 * by repeating the last frame, so slides keep their duration.
 */
function cutVariableRate({ start, seconds, to_end }: Cut, rate: number): string[] {
  const length = ffmpegSeconds(Math.max(seconds - 0.5 / rate, 0.5 / rate))
  const hold = to_end ? [] : [HOLD_LAST]
  const end = to_end ? [] : [`trim=end=${length}`]
  const rate_filter = [`setpts=PTS-${ffmpegSeconds(start)}/TB`, `fps=fps=${rate}:start_time=0`]
  return [FINE_TIMES, ...hold, ...rate_filter, FINE_TIMES, ...end]
}

/**
 * Chooses the constant rate: 30 for phone video, which varies slightly around it, and 60 for screen
 * recordings, which come in bursts.
 */
function constantRateOf(video: VideoTrack): number {
  return isSlightlyVariable(video) ? 30 : 60
}

/** Checks whether the rate varies only slightly around 30 frames per second, as in phone video. */
export function isSlightlyVariable({ frames_per_second }: VideoTrack): boolean {
  return frames_per_second > 20 && frames_per_second < 30.5
}
