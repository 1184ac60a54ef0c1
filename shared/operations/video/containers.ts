import type { MediaProbe } from '../facts.ts'
import { FAST_START } from '../filters.ts'
import { type Extension, extensionOf } from '../formats.ts'

export type VideoContainer = Extract<Extension, 'mp4' | 'mov' | 'mkv' | 'webm'>

/** The codecs, of pictures, sound and subtitles, that ffmpeg 5.1 writes into a container by copying. */
const MP4_CODECS = [
  ...['h264', 'hevc', 'av1', 'vp9', 'mpeg4', 'mpeg2video', 'mjpeg'],
  ...['aac', 'mp3', 'ac3', 'eac3', 'opus', 'flac', 'alac'],
]
const WEBM_CODECS = ['vp8', 'vp9', 'av1', 'vorbis', 'opus']

const SUBTITLES = {
  mp4: ['mov_text'],
  mov: ['mov_text'],
  webm: ['webvtt'],
  mkv: ['subrip', 'ass', 'ssa', 'webvtt', 'dvd_subtitle', 'dvb_subtitle', 'hdmv_pgs_subtitle'],
} as const satisfies Record<VideoContainer, readonly string[]>

/** Families whose index says where the keyframes are, so that seeking lands on the one before. */
const INDEXED = ['mp4', 'mov', 'matroska', 'webm', 'avi']

export function isIndexed(probe: Pick<MediaProbe, 'container'>): boolean {
  return probe.container.split(',').some((family) => INDEXED.includes(family))
}

/**
 * The container that takes a copy of these tracks as they are: the input's own family where we serve
 * it, Matroska for all others. QuickTime stays where an MP4 can't hold the codec (ProRes, PCM).
 */
export function remuxContainer(probe: MediaProbe): VideoContainer {
  const families = probe.container.split(',')
  const codecs = [probe.video.codec, ...probe.audio.map((track) => track.codec)]
  if (families.includes('mp4') || families.includes('mov')) {
    return codecs.every((codec) => MP4_CODECS.includes(codec)) ? 'mp4' : 'mov'
  }
  // ffprobe calls both "matroska,webm"; what is inside tells them apart.
  if (families.includes('webm')) return codecs.every((codec) => WEBM_CODECS.includes(codec)) ? 'webm' : 'mkv'
  return 'mkv'
}

/** The input's tracks that a copy into this container takes along. Data tracks and cover art stay out. */
export function copiedTracks(probe: MediaProbe, container: VideoContainer): { index: number }[] {
  const allowed: readonly string[] = SUBTITLES[container]
  const subtitles = (probe.subtitles ?? []).filter((track) => allowed.includes(track.codec))
  return [probe.video, ...probe.audio, ...subtitles]
}

/** What ffmpeg is told beside the tracks when it writes a copy into this file. */
export function containerOptions(file: string): string[] {
  return ['mp4', 'mov'].includes(extensionOf(file)) ? FAST_START : []
}
