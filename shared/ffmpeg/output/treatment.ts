import type { AudioTrack, MediaProbe, VideoTrack } from '../../planning/facts.ts'
import type { EncodeMode } from '../../planning/operation.ts'
import type { VideoEdit } from '../edit.ts'
import { playedAudio } from '../played-audio.ts'
import { canCopyAudio, canCopyVideo, holdsCodec, remuxContainer, type VideoContainer } from './containers.ts'
import { codecOf, defaultAudioEncoder, defaultVideoEncoder } from './encoders.ts'

/** Of 4:4:4 and of more than 8 bits in H.264 (High 10), browsers and devices show nothing. */
const PLAYED_FORMATS: Partial<Record<string, readonly string[]>> = {
  h264: ['yuv420p', 'yuvj420p'],
  hevc: ['yuv420p', 'yuvj420p', 'yuv420p10le'],
  vp9: ['yuv420p', 'yuv420p10le'],
}

/** What of the source is encoded anew, with which options, and into which container it goes. */
export interface Treatment {
  video: string[] | 'copy'
  /** null: the result has no sound. */
  audio: string[] | 'copy' | null
  /** The source's sound tracks that the result starts from; none with `sound` encoded: silence. */
  tracks: readonly AudioTrack[]
  container: VideoContainer
}

/** Decides for a row of edits what can be copied (Contract: Video operations, Encoding). */
export function chooseTreatment(edits: readonly VideoEdit[], probe: MediaProbe): Treatment {
  const video_encoder = lastEncoder(edits, 'video')
  const video_fits = video_encoder === null || isEncodedAs(probe.video, codecOf(video_encoder))
  const requested = requestedContainer(edits)
  const is_untouched = video_fits && !edits.some(encodesVideo)
  const tracks = keptTracks(edits, probe)
  const own_container = remuxContainer({
    ...{ ...probe, audio: copiesAudio(edits, tracks, is_untouched) ? [...tracks] : [] },
    subtitles: edits.some(({ subtitles }) => subtitles === 'none') ? [] : probe.subtitles,
  })
  const copies_video = is_untouched && canCopyVideo(probe, requested ?? own_container)
  const container = requested ?? (copies_video ? own_container : 'mp4')
  const copies_audio = copiesAudio(edits, tracks, copies_video)
  const keeps_audio = copies_audio && canCopyAudio({ ...probe, audio: [...tracks] }, container)
  const encoded = fitting(lastEncoder(edits, 'audio'), container) ?? defaultAudioEncoder(container)
  return {
    video: copies_video ? 'copy' : (fitting(video_encoder, container) ?? defaultVideoEncoder(container)),
    audio: hasAudioTrack(edits, tracks) ? (keeps_audio ? 'copy' : encoded) : null,
    tracks,
    container,
  }
}

/** The last edit that names a container decides. */
function requestedContainer(edits: readonly VideoEdit[]): VideoContainer | undefined {
  return edits.findLast(({ encoding }) => encoding.container !== undefined)?.encoding.container
}

/** Whether a video is what an encoder would make: its codec, in pixels that players decode. */
function isEncodedAs({ codec, pixel_format }: VideoTrack, encoder_codec: string | null): boolean {
  return codec === encoder_codec && (PLAYED_FORMATS[codec]?.includes(pixel_format) ?? true)
}

/** Contract: Video operations, Encoding. A result without sound is judged by its picture alone. */
export function encodeModeOf({ video, audio }: Treatment): EncodeMode {
  if (video === 'copy') return audio === 'copy' || audio === null ? 'remux' : 'video_copy'
  return audio === 'copy' ? 'audio_copy' : 'encode'
}

/** The edits that can be heard: those after the last that took all sound away. */
export function audibleEdits(edits: readonly VideoEdit[]): readonly VideoEdit[] {
  return edits.slice(edits.findLastIndex(({ audio }) => audio === 'none') + 1)
}

function keptTracks(edits: readonly VideoEdit[], probe: MediaProbe): readonly AudioTrack[] {
  if (edits.some(({ audio }) => audio === 'none')) return []
  return edits.some(({ tracks }) => tracks === 'played') ? playedAudio(probe.audio) : probe.audio
}

/** An edit can give sound to a silent video: then its `after` has a track. */
function hasAudioTrack(edits: readonly VideoEdit[], tracks: readonly AudioTrack[]): boolean {
  const adds = ({ audio, after }: VideoEdit) => typeof audio === 'function' && after.audio.length > 0
  return tracks.length > 0 || audibleEdits(edits).some(adds)
}

function encodesVideo({ cut, video, encoding }: VideoEdit): boolean {
  return cut !== null || video !== null || (Array.isArray(encoding.video) && !encoding.only_where_needed)
}

function copiesAudio(
  edits: readonly VideoEdit[],
  tracks: readonly AudioTrack[],
  copies_video: boolean,
): boolean {
  if (tracks.length === 0) return false
  const encoder = lastEncoder(edits, 'audio')
  if (encoder !== null && tracks.some(({ codec }) => codec !== codecOf(encoder))) return false
  const encodes = ({ cut, audio, encoding }: VideoEdit) =>
    cut !== null ||
    typeof audio === 'function' ||
    (Array.isArray(encoding.audio) && !encoding.only_where_needed)
  if (edits.some(encodes)) return false
  return copies_video || edits.some(({ encoding }) => encoding.audio === 'copy' || encoding.only_where_needed)
}

/** The last edit that names an encoder has its way. */
function lastEncoder(edits: readonly VideoEdit[], kind: 'video' | 'audio'): string[] | null {
  const named = edits.map(({ encoding }) => encoding[kind]).findLast((options) => Array.isArray(options))
  return named ?? null
}

/** null where the container can't hold what the encoder makes. */
function fitting(options: string[] | null, container: VideoContainer): string[] | null {
  const codec = options === null ? null : codecOf(options)
  return codec === null || !holdsCodec(container, codec) ? null : options
}
