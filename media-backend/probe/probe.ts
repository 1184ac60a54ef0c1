import type { AudioTrack, MediaProbe, VideoTrack } from '../../shared/planning/facts.ts'
import { failWith } from '../runtime/failure.ts'
import { checkDeclared } from '../runtime/limits.ts'
import type { Run } from '../runtime/run.ts'
import { findPackedAmr } from './audio/packed-amr.ts'
import { codecTitle } from './codecs.ts'
import { ALPHA_TAGS, type Probe, runFfprobe, type Stream } from './ffprobe.ts'
import { hidesFields } from './interlacing.ts'
import { isProtectedMovie, protectedFailure } from './protection.ts'
import { requireSupported } from './support.ts'
import { hasBroadcastClock } from './timing/clock-samples.ts'
import { collectDeclaredTimes, type DeclaredTimes, isPlayed, playedSeconds } from './timing/declared-times.ts'
import { type Duration, measureDuration } from './timing/duration.ts'
import { findHidden } from './timing/hidden-start.ts'

/** Deviation of the average rate that a longer last frame causes in a video with a constant frame rate. */
const RATE_TOLERANCE = 0.005

/** Base rates of usual videos. Those of variable ones may be the units of their timestamps. */
const BASE_RATE = { min: 20, max: 60 }
/** Part of a frame by which a duration may differ from a whole number of frames. */
const WHOLE_TOLERANCE = 0.05
/** The same if the average rate is nearly the base rate, as in many phone videos, whose frames lie on no grid. */
const EXACT_TOLERANCE = 0.005

export type Media = Omit<MediaProbe, 'video'> & { video: VideoTrack | null }

/**
 * Measures the input of a video operation with ffprobe.
 * @throws JobFailure input_unreadable, input_too_large, or wrong_kind if the file has audio but no video track.
 */
export async function probeVideo(path: string, run: Run): Promise<MediaProbe> {
  const media = await readMedia(path, run)
  if (media.video === null) {
    throw media.audio.length > 0 ? failWith('audio_only') : failWith('media_unreadable')
  }
  return { ...media, video: media.video }
}

/** Measures any file with audio or video; `video` is null if no video track plays. */
export async function readMedia(path: string, run: Run): Promise<Media> {
  const { media } = await readTimedMedia(path, run)
  return media
}

/** Measures a file like readMedia and also returns the times that its header declares. */
export async function readTimedMedia(
  path: string,
  run: Run,
): Promise<{ media: Media; declared: DeclaredTimes }> {
  // This check comes before ffprobe, which cannot open some protected files.
  if (await isProtectedMovie(path, run)) throw protectedFailure()
  const probe = await runFfprobe(path, run)
  const { format, streams, chapters, has_short_probe } = probe
  const played = playedVideo(streams)
  const undecodable = await requireSupported(streams, played, path, run)
  const declared = collectDeclaredTimes(probe)
  const longest = longestOf(probe)
  checkDeclared({ streams, chapters, duration_seconds: longest })
  // Any interlaced value works, because the deinterlacer reads the field order from each frame.
  if (played !== undefined && (await hidesFields(played, path, run))) played.field_order = 'tt'
  const packed = await findPackedAmr(streams, path, run)
  const hidden = played === undefined ? {} : await findHidden(played, path, run)
  const known = { container: format.format_name, size_bytes: format.size }
  const declared_seconds = playedSeconds(declared, longest)
  const duration: Duration = streams.some(isPlayed)
    ? await measureDuration(path, { ...known, declared_seconds, times: declared }, run)
    : { duration_seconds: longest }
  const is_counted = duration.duration_seconds !== declared_seconds
  // In a truncated file, subtitles may lie past the end, and ffmpeg stops reading if one is missing.
  const is_complete = duration.missing_seconds === undefined
  const media = {
    ...known,
    ...duration,
    ...(has_short_probe && { has_short_probe }),
    ...hidden,
    ...(hasBroadcastClock(known) && { clock_start_seconds: declared.start_seconds }),
    tags: format.tags,
    ...markMissingTimes(
      tracksOf(streams, { undecodable, packed }, declared.start_seconds, is_counted),
      known.container,
      played,
    ),
    ...(!is_complete && { subtitles: [] }),
    ...(chapters.length > 0 && { chapters: chapters.length }),
  }
  return { media, declared }
}

/**
 * Marks videos that lack presentation timestamps. ffmpeg finds the frame order of H.264 in AVI only by decoding,
 * and version 7.1 declares a rate of 60,000 frames per second for copied DV.
 */
function markMissingTimes<Tracks extends Pick<Media, 'video'>>(
  tracks: Tracks,
  container: string,
  played: Stream | undefined,
): Tracks {
  const is_reordered = container === 'avi' && played?.codec_name === 'h264' && played.has_b_frames > 0
  if (tracks.video === null || !(is_reordered || container === 'dv')) return tracks
  return { ...tracks, video: { ...tracks.video, lacks_display_times: true } }
}

/**
 * Returns the declared duration, or 0 if it is unknown. Track durations count only if all played tracks declare
 * one.
 */
function longestOf({ format, streams }: Probe): number {
  const is_declared = streams.every((stream) => !isPlayed(stream) || stream.duration != null)
  return format.duration ?? (is_declared ? Math.max(0, ...streams.map(({ duration }) => duration ?? 0)) : 0)
}

/**
 * Describes the tracks of a file.
 * @param is_counted true if the measured duration differs from the declared one. The declared duration of the video
 * is then wrong too.
 */
function tracksOf(
  streams: Stream[],
  audio: AudioFindings,
  start_seconds: number,
  is_counted: boolean,
): Pick<Media, 'video' | 'audio' | 'subtitles' | 'cover'> {
  const played = playedVideo(streams)
  const track = played === undefined ? null : videoTrack(played, start_seconds)
  return {
    video: track !== null && is_counted ? { ...track, duration_seconds: null } : track,
    audio: audioTracks(
      streams.filter(({ codec_type }) => codec_type === 'audio'),
      audio,
      start_seconds,
    ),
    subtitles: streams
      .filter(({ codec_type }) => codec_type === 'subtitle')
      .map(({ index, codec_name }) => ({ index, codec: codec_name })),
    ...coverArt(streams),
  }
}

/** Returns the first cover image, which is the one that players show. */
function coverArt(streams: Stream[]): Pick<MediaProbe, 'cover'> {
  const cover = streams.find(({ disposition }) => disposition.attached_pic === 1)
  return cover === undefined ? {} : { cover: { index: cover.index, codec: cover.codec_name } }
}

function playedVideo(streams: readonly Stream[]): Stream | undefined {
  const videos = streams.filter(
    ({ codec_type, disposition, width, height }) =>
      codec_type === 'video' && disposition.attached_pic !== 1 && width > 0 && height > 0,
  )
  return videos.find(({ disposition }) => disposition.default === 1) ?? videos[0]
}

/**
 * Describes the video track.
 * @param start_seconds start time of the file. ffmpeg measures all times from it.
 */
function videoTrack(stream: Stream, start_seconds: number): VideoTrack {
  const rotation_degrees = clockwiseRotation(stream)
  const width = Math.max(1, Math.round(stream.width * (stream.sample_aspect_ratio ?? 1)))
  const turned = rotation_degrees === 90 || rotation_degrees === 270
  return {
    index: stream.index,
    codec: stream.codec_name,
    width: turned ? stream.height : width,
    height: turned ? width : stream.height,
    rotation_degrees,
    ...(isMirrored(stream) && { mirrored: true as const }),
    stored: {
      width: stream.width,
      height: stream.height,
      sample_aspect_ratio: stream.sample_aspect_ratio ?? 1,
    },
    frames_per_second: stream.avg_frame_rate ?? stream.r_frame_rate ?? 25,
    pixel_format: stream.pix_fmt,
    coding: { profile: stream.profile, level: stream.level },
    ...timescaleOf(stream),
    ...(stream.has_b_frames > 0 && { reorders_frames: true as const }),
    ...(isAlphaMode(stream) && { has_alpha: true as const }),
    color_transfer: stream.color_transfer,
    color_space: stream.color_space,
    color_primaries: stream.color_primaries,
    color_range: stream.color_range,
    interlaced: isInterlaced(stream),
    duration_seconds: stream.duration ?? null,
    start_seconds: Math.max(0, (stream.start_time ?? start_seconds) - start_seconds),
    variable_frame_rate: hasVariableRate(stream),
    ...baseRateOf(stream),
  }
}

/** Parses the time base: "1/90000" → 90000. */
function timescaleOf({ time_base }: Stream): Pick<VideoTrack, 'timescale'> {
  const [, timescale] = /^1\/(\d+)$/.exec(time_base ?? '') ?? []
  return timescale === undefined ? {} : { timescale: Number(timescale) }
}

function isInterlaced({ field_order }: Stream): boolean {
  return ['tt', 'bb', 'tb', 'bt'].includes(field_order ?? '')
}

/**
 * Checks whether the average frame rate differs from the base rate. For interlaced files, the base rate may count
 * fields.
 */
function hasVariableRate(stream: Stream): boolean {
  const { avg_frame_rate: average, r_frame_rate: beat } = stream
  if (average == null || beat == null) return average !== beat
  const ratio = beat / average
  const is_even = Math.abs(ratio - 1) < RATE_TOLERANCE
  return !is_even && !(isInterlaced(stream) && Math.abs(ratio / 2 - 1) < RATE_TOLERANCE)
}

/**
 * Returns the rate of a video in which some frames are missing. Its base rate is then usual, and its duration is a whole
 * number of frames; the duration of a video with another variable rate rarely is. A few frames of a long video change its
 * average so little that its rate counts as constant, but its frames lie on the grid of the base rate all the same. Its
 * duration must then be exact, in a time base that can show it.
 */
function baseRateOf(stream: Stream): Pick<VideoTrack, 'base_rate'> {
  const { avg_frame_rate: average, r_frame_rate: base, duration } = stream
  if (isInterlaced(stream) || average == null || base == null || duration == null) return {}
  const frames = duration * base
  const is_nearly_constant = !hasVariableRate(stream)
  const { timescale = 0 } = timescaleOf(stream)
  if (is_nearly_constant && timescale * EXACT_TOLERANCE < base) return {}
  const tolerance = is_nearly_constant ? EXACT_TOLERANCE : WHOLE_TOLERANCE
  const is_whole = Math.abs(frames - Math.round(frames)) < tolerance
  const is_usual = base >= BASE_RATE.min && base <= BASE_RATE.max && base > average && base <= 2 * average
  return is_whole && is_usual ? { base_rate: base } : {}
}

/**
 * Returns the clockwise rotation. ffprobe prints the counterclockwise angle of the display matrix, from -180 to
 * 180.
 */
function clockwiseRotation({ side_data_list }: Stream): number {
  const counter_clockwise = side_data_list.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0
  return (((Math.round(-counter_clockwise / 90) * 90) % 360) + 360) % 360
}

function isAlphaMode({ tags }: Stream): boolean {
  return ALPHA_TAGS.some((name) => tags[name] === '1')
}

/** Checks for a mirrored display matrix. A pure rotation preserves the order of the corners. */
function isMirrored({ side_data_list }: Stream): boolean {
  const matrix = side_data_list.find(({ displaymatrix }) => displaymatrix !== undefined)?.displaymatrix ?? ''
  const [[a = 0, b = 0] = [], [c = 0, d = 0] = []] = matrix
    .trim()
    .split('\n')
    .map((line) => line.replace(/^\d+:/, '').trim().split(/\s+/).map(Number))
  return a * d < b * c
}

/** Indices of tracks without a decoder, and of AMR tracks with several frames per packet. */
interface AudioFindings {
  undecodable: ReadonlySet<number>
  packed: ReadonlySet<number>
}

function audioTracks(
  streams: Stream[],
  { undecodable, packed }: AudioFindings,
  start_seconds: number,
): AudioTrack[] {
  return streams.map((stream) => ({
    ...{ index: stream.index, codec: stream.codec_name, channels: stream.channels },
    ...(streams.length > 1 && stream.disposition.default === 1 && { is_default: true }),
    ...(packed.has(stream.index) && {
      packed: { start_seconds: Math.max(0, (stream.start_time ?? start_seconds) - start_seconds) },
    }),
    ...(undecodable.has(stream.index) && { unsupported: codecTitle(stream) ?? 'an unknown codec' }),
  }))
}
