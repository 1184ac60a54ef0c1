import type { MediaProbe } from '../../planning/facts.ts'
import { endHidden } from '../cuts/copy-end.ts'
import { hasVariableRate, isSlightlyVariable } from '../cuts/cut.ts'
import { ffmpegSeconds, mapTracks } from '../filters.ts'
import { type AudioPad, VIDEO_PAD } from '../graph.ts'
import { isIndexed, mapAttachments, subtitleCodecs, type VideoContainer, videoTag } from './containers.ts'
import { codecOf } from './encoders.ts'
import type { Treatment } from './treatment.ts'

/** Returns the output options of the video: its mapping, codec, tag and timestamps. */
export function writeVideo(probe: MediaProbe, after: MediaProbe, { video, container }: Treatment): string[] {
  const codec = video === 'copy' ? probe.video.codec : codecOf(video)
  const tag = videoTag(codec, container)
  if (video === 'copy')
    return ['-map', `0:${probe.video.index}`, '-c:v', 'copy', ...tag, ...copiedTimes(probe, container)]
  const lengths = hasVariableRate(after.video) ? variableRateDurations(probe, after, container) : []
  return ['-map', VIDEO_PAD, ...video, ...tag, ...rateOptions(after, codec, container), ...lengths]
}

/**
 * Corrects the timestamps of H.264 copied from AVI. ffmpeg assumes a delay of one frame, which only B-frames cause.
 */
function copiedTimes(probe: MediaProbe, container: VideoContainer): string[] {
  const is_guessed = probe.container === 'avi' && probe.video.codec === 'h264'
  return is_guessed ? ['-bsf:v', 'setts=pts=DTS:dts=DTS'] : endHidden(probe, container)
}

/**
 * Returns the encoder options of the frame rate. A variable rate gets exact timestamps in the unit of the container,
 * because the bitstream filters of ffmpeg 5.1 confuse two units.
 */
export function rateOptions(
  { video }: Pick<MediaProbe, 'video'>,
  codec: string | null,
  container: VideoContainer,
): string[] {
  const times = ['-fps_mode', 'vfr', '-enc_time_base:v', isMp4(container) ? '1:90000' : '1:1000']
  return [...(hasVariableRate(video) ? times : []), ...declareRate(video, codec)]
}

/** SVT-AV1 refuses higher rates. */
const AV1_RATE_MAX = 240

/** Declares a rate to encoders that would conclude too high a level from a variable one, or refuse it. */
function declareRate(video: MediaProbe['video'], codec: string | null): string[] {
  const rate = Math.min(60, Math.max(10, Math.round(video.frames_per_second) || 0))
  const is_variable = hasVariableRate(video)
  if (codec === 'h264' && is_variable) return ['-x264-params', `fps=${rate}`]
  if (codec === 'av1' && (is_variable || video.frames_per_second > AV1_RATE_MAX))
    return ['-svtav1-params', `fps-num=${rate}:fps-denom=1`]
  return []
}

/**
 * Writes exact frame durations. MP4 counts them in decoding order, so they add up to too little if reordered frames
 * come in bursts. If the total duration is reliable, the last frame lasts until the end.
 */
function variableRateDurations(probe: MediaProbe, after: MediaProbe, container: VideoContainer): string[] {
  const in_order = !isMp4(container) || isSlightlyVariable(after.video) ? [] : ['-bf', '0']
  if (!isIndexed(probe)) return in_order
  const rest = `max(DURATION,${ffmpegSeconds(after.duration_seconds)}/TB-PTS)`
  const lengths = `if(eq(NEXT_PTS,NOPTS),${rest},DURATION)`
  return [...in_order, '-bsf:v', `setts=pts=PTS:dts=DTS:duration='${lengths}'`]
}

function isMp4(container: VideoContainer): boolean {
  return container === 'mp4' || container === 'mov'
}

export function writeAudio(audio_pads: readonly AudioPad[], { audio, tracks }: Treatment): string[] {
  if (audio === null) return []
  if (audio === 'copy') return [...mapTracks(tracks), '-c:a', 'copy']
  return [...audio_pads.flatMap(({ pad }) => ['-map', pad]), ...audio]
}

/** Restores the language and the default flag of each track if several audio tracks are encoded. */
export function nameTracks({ audio, tracks }: Treatment): string[] {
  if (!Array.isArray(audio) || tracks.length < 2) return []
  const names = tracks.flatMap(({ index }, position) => [`-map_metadata:s:a:${position}`, `0:s:${index}`])
  if (!tracks.some(({ is_default }) => is_default)) return names
  const played = tracks.map(({ is_default }) => (is_default ? 'default' : '0'))
  return [...names, ...played.flatMap((flag, position) => [`-disposition:a:${position}`, flag])]
}

/** Cover art formats that MP4 supports. In other containers, players would play cover art as video. */
const COVERS: readonly string[] = ['mjpeg', 'png']

/** Keeps cover art when a whole video is copied, but without the codec tag of the video. */
export function writeCover({ cover }: MediaProbe, { video, container }: Treatment): string[] {
  if (cover === undefined || video !== 'copy' || container !== 'mp4') return []
  return COVERS.includes(cover.codec) ? ['-map', `0:${cover.index}`, '-tag:v:1', '0'] : []
}

/** Keeps the subtitles and attachments of a copied video; converts text subtitles to the container's format. */
export function writeSubtitles(probe: MediaProbe, { video, container }: Treatment): string[] {
  const subtitles = video === 'copy' ? subtitleCodecs(probe, container) : []
  const written = subtitles.flatMap(({ index, codec }, position) => [
    ...['-map', `0:${index}`],
    ...[`-c:s:${position}`, codec],
  ])
  return [...written, ...(video === 'copy' ? mapAttachments(probe, container) : [])]
}
