import type { MediaProbe, VideoTrack } from '../../planning/facts.ts'
import { chain, type Fragment, withRate } from '../edit.ts'
import { FINE_TIMES, ffmpegSeconds } from '../filters.ts'
import { isIndexed } from '../output/containers.ts'
import { exactRate, ffmpegRate } from '../video/frame-rate.ts'
import type { Cut } from './cut-range.ts'
import { KEYFRAME_SECONDS } from './keyframe-seconds.ts'
import { dropLate, seekOptions } from './source.ts'
import { fromKeyframe, type Seekable, unindexedSeeks } from './unindexed-seek.ts'

/** Times that a person typed in milliseconds, or a container rounded to them, are meant this well. */
const TOLERANCE_SECONDS = 0.0015
/** Slower videos are slides: their frames are taken by their times, not by their beat. */
const SLIDESHOW_RATE_MAX = 10
/** So near to the end there may be sound alone: the last frame is shown on. */
const TAIL_SECONDS = 0.5

/** The last frame again and again; what follows says when it is enough. */
const HOLD_LAST = 'tpad=stop=-1:stop_mode=clone'

/** The keyframe before may be missed by a little where pictures are stored out of order. */
const SEEK_MARGIN_SECONDS = 1

/** Whether frames must be taken by their times: uneven ones, and slides that stand for seconds. */
export function hasVariableRate(
  video: Pick<VideoTrack, 'frames_per_second' | 'variable_frame_rate' | 'interlaced'>,
): boolean {
  return video.variable_frame_rate === true || isSlideShow(video)
}

/** Whether single frames last so long that a copy, which keeps whole frames, would end far too late. */
export function isSlideShow({ frames_per_second }: Pick<VideoTrack, 'frames_per_second'>): boolean {
  return !(frames_per_second >= SLIDESHOW_RATE_MAX)
}

/**
 * Where to start reading for a cut, one after the other until a keyframe came in time; the rest of the way is
 * decoded and dropped. The last is nought.
 */
export function cutSeeks(probe: Seekable, { start }: Cut): number[] {
  if (!isIndexed(probe)) return unindexedSeeks(probe, start)
  return probe.clock_restarts || start <= SEEK_MARGIN_SECONDS ? [0] : [start - SEEK_MARGIN_SECONDS, 0]
}

/** How an input is read for a cut from there on. */
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
 * Lets nothing through where the first frame that could be decoded comes after the one to begin with: a seek
 * may have landed behind the keyframe that was needed, and the picture would begin late, against the sound. The
 * step then reads again from farther back (FfmpegStep, otherwise).
 */
export function checkSeek({ start }: Cut, { container, video }: MediaProbe, seek_seconds: number): string[] {
  if (seek_seconds === 0) return []
  const latest = Math.max(start, video.start_seconds ?? 0) - seek_seconds + TOLERANCE_SECONDS
  // With an index that is so seldom that it may take until the end of the file.
  if (isIndexed({ container })) return [`select='lte(start_t,${ffmpegSeconds(latest)})'`]
  return [...fromKeyframe(video.codec), ...dropLate(latest)]
}

/**
 * The picture from the frame that is seen at the start, which then begins at nought. Reading has
 * skipped `seek_seconds` already.
 */
export function cutVideo(requested: Cut, probe: MediaProbe, seek_seconds = 0): Fragment {
  return chain(...cutFilters(requested, probe, seek_seconds))
}

/** The same as filters in a row. */
export function cutFilters(requested: Cut, probe: MediaProbe, seek_seconds = 0): string[] {
  const { container, video } = probe
  const cut = { ...requested, start: requested.start - seek_seconds }
  if (!needsConstantRate(requested, probe))
    return cutConstantRate(cut, firstFrameSeconds(requested, probe) - seek_seconds, video.frames_per_second)
  // Only where there is an index the measured length is sure enough to hold the last frame until then.
  return cutVariableRate({ ...cut, to_end: cut.to_end && !isIndexed({ container }) }, constantRateOf(video))
}

/**
 * A whole picture in an even beat. How long the last of uneven frames is seen, the filter can't know: where
 * the length of the video is sure it is held until then. That of the picture alone is not: writers that
 * count in the order of decoding tell too little.
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

/** Ends the frames at a length. Behind a cut, fps repeats the last frame up to the last packet that was read. */
export function endAtDuration(seconds: number, rate: number): string[] {
  const half_frame = 0.5 / rate
  return [FINE_TIMES, `trim=end=${ffmpegSeconds(Math.max(seconds - half_frame, half_frame))}`]
}

/** The facts of what a cut leaves. */
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

/** The sound from the moment on at which the first frame that is kept begins: the two stay in step. */
export function cutAudio(cut: Cut, probe: MediaProbe, seek_seconds = 0): Fragment {
  const start = firstFrameSeconds(cut, probe) - seek_seconds
  const end = cut.to_end ? '' : `:end=${ffmpegSeconds(start + cut.seconds)}`
  const from = ffmpegSeconds(start)
  return ({ input, output }) => `${input}atrim=start=${from}${end},asetpts=PTS-${from}/TB${output}`
}

/** Where frames are taken by their times, the one seen at the start is shown from there on. */
function firstFrameSeconds(cut: Cut, probe: MediaProbe): number {
  if (needsConstantRate(cut, probe)) return cut.start
  const { frames_per_second, start_seconds = 0 } = probe.video
  const frame_seconds = 1 / exactRate(frames_per_second)
  const count = Math.ceil((firstFrameFrom(cut.start, frame_seconds) - start_seconds) / frame_seconds)
  return start_seconds + Math.max(0, count) * frame_seconds
}

/** The first frame that begins from here on is the one that is seen at the start. */
function firstFrameFrom(start: number, frame_seconds: number): number {
  return Math.max(0, start - frame_seconds + tolerance(frame_seconds))
}

/**
 * Cuts frames of an even rate at the frame that is shown at the start. fps states the rate again, which setpts may
 * forget, and fills gaps with the frame before them.
 * @param first_seconds when that frame begins by the rate; the audio is cut there.
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
 * Counts times from the first frame that is kept, wherever it is beside the rate. Where a gap is in its place, times
 * count from its place, so that the frames after the gap stay beside their audio.
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
 * Uneven frames are brought into an even beat that starts at the cut with the frame seen there, and
 * that goes on with the last frame, so that a slide stays for as long as it should.
 */
function cutVariableRate({ start, seconds, to_end }: Cut, rate: number): string[] {
  const length = ffmpegSeconds(Math.max(seconds - 0.5 / rate, 0.5 / rate))
  const hold = to_end ? [] : [HOLD_LAST]
  const end = to_end ? [] : [`trim=end=${length}`]
  const rate_filter = [`setpts=PTS-${ffmpegSeconds(start)}/TB`, `fps=fps=${rate}:start_time=0`]
  return [FINE_TIMES, ...hold, ...rate_filter, FINE_TIMES, ...end]
}

/** Recordings of a screen come in bursts; phones waver around 30 and look best in that beat. */
function constantRateOf(video: VideoTrack): number {
  return isSlightlyVariable(video) ? 30 : 60
}

/** As phones record: no frame is far from its beat. */
export function isSlightlyVariable({ frames_per_second }: VideoTrack): boolean {
  return frames_per_second > 20 && frames_per_second < 30.5
}
