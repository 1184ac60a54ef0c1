import type { MediaProbe, SubtitleTrack, VideoTrack } from '../../planning/facts.ts'
import { type Extension, extensionOf } from '../../planning/formats.ts'
import { FAST_START } from '../filters.ts'

export type VideoContainer = Extract<Extension, 'mp4' | 'mov' | 'mkv' | 'webm'>

/** Video and audio codecs that ffmpeg 5.1 can copy into each container. */
const CODECS: Record<Exclude<VideoContainer, 'mkv'>, readonly string[]> = {
  mp4: [
    ...['h264', 'hevc', 'av1', 'vp9', 'mpeg4', 'mpeg2video', 'mjpeg'],
    ...['aac', 'mp3', 'ac3', 'eac3', 'opus', 'flac', 'alac'],
  ],
  mov: [
    ...['h264', 'hevc', 'mpeg4', 'mpeg2video', 'mjpeg', 'prores', 'dnxhd', 'h263', 'png', 'qtrle'],
    ...['aac', 'mp3', 'ac3', 'eac3', 'alac', 'amr_nb', 'pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be'],
    ...['pcm_s32le', 'pcm_s32be', 'pcm_f32le', 'pcm_f32be', 'pcm_mulaw', 'pcm_alaw', 'adpcm_ima_qt'],
  ],
  webm: ['vp8', 'vp9', 'av1', 'vorbis', 'opus'],
}

const SUBTITLES = {
  mp4: ['mov_text'],
  mov: ['mov_text'],
  webm: ['webvtt'],
  mkv: ['subrip', 'ass', 'ssa', 'webvtt', 'dvd_subtitle', 'dvb_subtitle', 'hdmv_pgs_subtitle'],
} as const satisfies Record<VideoContainer, readonly string[]>

const TEXTS: readonly string[] = ['mov_text', 'subrip', 'ass', 'ssa', 'webvtt']

/** Checks whether a subtitle track is text, which can be converted for any container. */
export function isText({ codec }: Pick<SubtitleTrack, 'codec'>): boolean {
  return TEXTS.includes(codec)
}

/** Containers with a keyframe index, so a seek lands on the preceding keyframe. */
const INDEXED = ['mp4', 'mov', 'matroska', 'webm', 'avi']

export function isIndexed(probe: Pick<MediaProbe, 'container'>): boolean {
  return probe.container.split(',').some((family) => INDEXED.includes(family))
}

/** PCM formats that Matroska supports. */
const MATROSKA_PCM = [
  ...['pcm_u8', 'pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be', 'pcm_s32le', 'pcm_s32be'],
  ...['pcm_f32le', 'pcm_f64le', 'pcm_mulaw', 'pcm_alaw'],
]
/** Other codecs that ffmpeg cannot write into Matroska. */
const NOT_IN_MATROSKA = [
  ...['qtrle', 'gif', 'flashsv2'],
  ...['nellymoser', 's302m', 'adpcm_ima_qt', 'adpcm_swf', 'qdm2', 'qdmc', 'mace3', 'mace6', 'qcelp', 'gsm'],
]
/** Codecs that MP4 supports but ffmpeg's QuickTime muxer does not. */
const NOT_IN_QUICKTIME = ['vp8', 'vp9', 'av1', 'theora', 'opus', 'vorbis', 'flac', 'truehd', 'mlp', 'dts']

/** Checks whether a container supports a codec, given by ffmpeg's name. */
export function supportsCodec(container: VideoContainer, codec: string): boolean {
  if (container !== 'mkv') return CODECS[container].includes(codec)
  return codec.startsWith('pcm_') ? MATROSKA_PCM.includes(codec) : !NOT_IN_MATROSKA.includes(codec)
}

/**
 * Checks whether a track can be copied. Every codec in a QuickTime file, however old, can be copied into another
 * one.
 */
export function canCopyCodec(
  { container: source }: Pick<MediaProbe, 'container'>,
  codec: string,
  container: VideoContainer,
): boolean {
  if (container === 'mov' && isQuickTime(source)) return !NOT_IN_QUICKTIME.includes(codec)
  return supportsCodec(container, codec)
}

/**
 * Checks whether the video can be copied. Its frame order must be known, and ffmpeg writes rotation and hidden
 * frames only to MP4 and QuickTime.
 */
export function canCopyVideo(
  probe: Pick<MediaProbe, 'container' | 'video' | 'hides_start' | 'hides_end'>,
  container: VideoContainer,
): boolean {
  if (probe.video.lacks_display_times) return false
  const keeps_rotation_and_start = container === 'mp4' || container === 'mov'
  const is_plain = isUpright(probe.video) && !probe.hides_start && !probe.hides_end
  return canCopyCodec(probe, probe.video.codec, container) && (keeps_rotation_and_start || is_plain)
}

/** Checks whether all audio tracks can be copied. */
export function canCopyAudio(
  probe: Pick<MediaProbe, 'container' | 'audio' | 'hides_start'>,
  container: VideoContainer,
): boolean {
  const can_hide = container === 'mp4' || container === 'mov'
  const fits = probe.audio.every(({ codec }) => canCopyCodec(probe, codec, container))
  return fits && (can_hide || probe.audio.length === 0 || probe.hides_start !== true)
}

function isQuickTime(families: string): boolean {
  return families.split(',').some((family) => family === 'mp4' || family === 'mov')
}

function isUpright({
  rotation_degrees,
  mirrored,
}: Pick<VideoTrack, 'rotation_degrees' | 'mirrored'>): boolean {
  return rotation_degrees === 0 && mirrored !== true
}

/**
 * Codecs that players expect in an MP4. Browsers do not play older codecs in MP4, and those have properties that
 * MP4 lacks.
 */
const PLAYED = ['h264', 'hevc', 'av1']

/**
 * Chooses the container for a copy of these tracks: the input's container if it is supported. Other inputs
 * (MPEG-TS, Flash, AVI) become MP4 if it supports every track and players know the codec, otherwise Matroska.
 * QuickTime input stays QuickTime only if MP4 does not support its codecs (ProRes, PCM). Audio that no
 * container supports (canCopyAudio) is encoded.
 *
 * Packets of a copy are bit-identical, but their framing may change: MPEG-TS marks H.264 units with start
 * codes and AAC frames with ADTS headers; MP4 and Matroska store their lengths and the header data once.
 */
export function remuxContainer(
  probe: Pick<MediaProbe, 'container' | 'video' | 'audio' | 'subtitles'>,
): VideoContainer {
  const canCopyAll = (container: VideoContainer) =>
    canCopyVideo(probe, container) && canCopyAudio(probe, container)
  const is_quicktime = isQuickTime(probe.container)
  if (is_quicktime || !isUpright(probe.video)) {
    const fitting = (['mp4', 'mov', 'mkv'] as const).find(canCopyAll)
    if (fitting !== undefined) return fitting
  }
  // ffprobe reports both as "matroska,webm"; the codecs tell them apart.
  if (probe.container.split(',').includes('matroska')) return canCopyAll('webm') ? 'webm' : 'mkv'
  if (hasDrawnSubtitles(probe)) return 'mkv'
  const is_played = is_quicktime || PLAYED.includes(probe.video.codec)
  // Audio that no container supports is encoded, so that MP4 can be used.
  return is_played && canCopyVideo(probe, 'mp4') && (canCopyAll('mp4') || !canCopyAll('mkv')) ? 'mp4' : 'mkv'
}

/** Checks for the bitmap subtitles of broadcasts and discs, which only Matroska supports. */
function hasDrawnSubtitles({ subtitles = [] }: Pick<MediaProbe, 'subtitles'>): boolean {
  const held: readonly string[] = SUBTITLES.mkv
  return subtitles.some((track) => held.includes(track.codec) && !isText(track))
}

/** Returns the tracks that a copy into this container keeps. They do not include data tracks and cover art. */
export function copiedTracks(probe: MediaProbe, container: VideoContainer): { index: number }[] {
  return [probe.video, ...probe.audio, ...copiedSubtitles(probe, container)]
}

/** Returns the subtitle tracks that can be copied. */
export function copiedSubtitles(probe: MediaProbe, container: VideoContainer): SubtitleTrack[] {
  const allowed: readonly string[] = SUBTITLES[container]
  return (probe.subtitles ?? []).filter((track) => allowed.includes(track.codec))
}

/** Maps the attachments of a Matroska file, such as subtitle fonts, into a Matroska copy. */
export function mapAttachments(
  { container: family }: Pick<MediaProbe, 'container'>,
  container: VideoContainer,
): string[] {
  const has_room = container === 'mkv' && family.split(',').includes('matroska')
  return has_room ? ['-map', '0:t?', '-c:t', 'copy'] : []
}

/** Returns the codec of each subtitle track in the container: a copy, or the container's text format. */
export function subtitleCodecs(
  probe: MediaProbe,
  container: VideoContainer,
): { index: number; codec: string }[] {
  const copied = copiedSubtitles(probe, container)
  return (probe.subtitles ?? []).flatMap((track) => {
    if (copied.includes(track)) return [{ index: track.index, codec: 'copy' }]
    return isText(track) ? [{ index: track.index, codec: SUBTITLES[container][0] }] : []
  })
}

/** Returns the codec tag. Apple players recognize HEVC only as hvc1. */
export function videoTag(codec: string | null, container: VideoContainer): string[] {
  return codec === 'hevc' && (container === 'mp4' || container === 'mov') ? ['-tag:v', 'hvc1'] : []
}

/** Clears the brand tags of an MP4, which ffmpeg would copy into other containers. */
export const NO_BRANDS = ['major_brand', 'minor_version', 'compatible_brands'].flatMap((name) => [
  '-metadata',
  `${name}=`,
])

const STATISTICS = ['BPS', 'NUMBER_OF_FRAMES', 'NUMBER_OF_BYTES', 'DURATION', '_STATISTICS_TAGS']
const WRITERS = ['_STATISTICS_WRITING_APP', '_STATISTICS_WRITING_DATE_UTC']

/** The statistics that mkvmerge stored for each track of its input. None of them apply to the output. */
const NO_STATISTICS = [...STATISTICS, ...WRITERS].flatMap((name) => [
  ...['-metadata:s', `${name}=`],
  ...['-metadata:s', `${name}-eng=`],
])

/**
 * Returns muxer options for a file: index first, no timecode track, no tags from another container. `-strict`
 * allows the boxes of 360° projections, and FLAC in MP4 with ffmpeg 5.1.
 */
export function containerOptions(file: string): string[] {
  const extension = extensionOf(file)
  if (extension === 'mp4' || extension === 'mov')
    return [...FAST_START, '-write_tmcd', '0', '-strict', 'experimental']
  if (extension === 'm4a') return FAST_START
  return extension === 'mkv' || extension === 'webm'
    ? ['-cues_to_front', '1', ...NO_STATISTICS, ...NO_BRANDS]
    : NO_BRANDS
}
