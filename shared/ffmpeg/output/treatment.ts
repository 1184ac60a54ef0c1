import type { AudioTrack, MediaProbe, VideoTrack } from '../../planning/facts.ts'
import type { EncodeMode } from '../../planning/operation.ts'
import type { VideoEdit } from '../edit.ts'
import { playedSound } from '../played-audio.ts'
import { canCopyAudio, canCopyVideo, holdsCodec, remuxContainer, type VideoContainer } from './containers.ts'
import { codecOf, defaultPicture, defaultSound } from './encoders.ts'

/** Of 4:4:4 and of more than 8 bits in H.264 (High 10), browsers and devices show nothing. */
const PLAYED_FORMATS: Partial<Record<string, readonly string[]>> = {
  h264: ['yuv420p', 'yuvj420p'],
  hevc: ['yuv420p', 'yuvj420p', 'yuv420p10le'],
  vp9: ['yuv420p', 'yuv420p10le'],
}

/** What of the source is encoded anew, with which options, and into which container it goes. */
export interface Treatment {
  picture: string[] | 'copy'
  /** null: the result has no sound. */
  sound: string[] | 'copy' | null
  /** The source's sound tracks that the result starts from; none with `sound` encoded: silence. */
  tracks: readonly AudioTrack[]
  container: VideoContainer
}

/** Decides for a row of edits what can be copied (Contract: Video operations, Encoding). */
export function chooseTreatment(edits: readonly VideoEdit[], probe: MediaProbe): Treatment {
  const picture_encoder = lastEncoder(edits, 'picture')
  const picture_fits = picture_encoder === null || isAlready(probe.video, codecOf(picture_encoder))
  const asked = askedContainer(edits)
  const is_untouched = picture_fits && !edits.some(encodesPicture)
  const tracks = keptTracks(edits, probe)
  const own_container = remuxContainer({
    ...{ ...probe, audio: copiesSound(edits, tracks, is_untouched) ? [...tracks] : [] },
    subtitles: edits.some(({ subtitles }) => subtitles === 'none') ? [] : probe.subtitles,
  })
  const copies_picture = is_untouched && canCopyVideo(probe, asked ?? own_container)
  const container = asked ?? (copies_picture ? own_container : 'mp4')
  const copies_sound = copiesSound(edits, tracks, copies_picture)
  const keeps_sound = copies_sound && canCopyAudio({ ...probe, audio: [...tracks] }, container)
  const encoded = fitting(lastEncoder(edits, 'sound'), container) ?? defaultSound(container)
  return {
    picture: copies_picture ? 'copy' : (fitting(picture_encoder, container) ?? defaultPicture(container)),
    sound: hasSound(edits, tracks) ? (keeps_sound ? 'copy' : encoded) : null,
    tracks,
    container,
  }
}

/** The last edit that names a container decides. */
function askedContainer(edits: readonly VideoEdit[]): VideoContainer | undefined {
  return edits.findLast(({ encoding }) => encoding.container !== undefined)?.encoding.container
}

/** Whether a video is what an encoder would make: its codec, in pixels that players decode. */
function isAlready({ codec, pixel_format }: VideoTrack, wanted: string | null): boolean {
  return codec === wanted && (PLAYED_FORMATS[codec]?.includes(pixel_format) ?? true)
}

/** Contract: Video operations, Encoding. A result without sound is judged by its picture alone. */
export function encodeModeOf({ picture, sound }: Treatment): EncodeMode {
  if (picture === 'copy') return sound === 'copy' || sound === null ? 'remux' : 'video_copy'
  return sound === 'copy' ? 'audio_copy' : 'encode'
}

/** The edits that can be heard: those after the last that took all sound away. */
export function heardEdits(edits: readonly VideoEdit[]): readonly VideoEdit[] {
  return edits.slice(edits.findLastIndex(({ sound }) => sound === 'none') + 1)
}

function keptTracks(edits: readonly VideoEdit[], probe: MediaProbe): readonly AudioTrack[] {
  if (edits.some(({ sound }) => sound === 'none')) return []
  return edits.some(({ tracks }) => tracks === 'played') ? playedSound(probe.audio) : probe.audio
}

/** An edit can give sound to a silent video: then its `after` has a track. */
function hasSound(edits: readonly VideoEdit[], tracks: readonly AudioTrack[]): boolean {
  const adds = ({ sound, after }: VideoEdit) => typeof sound === 'function' && after.audio.length > 0
  return tracks.length > 0 || heardEdits(edits).some(adds)
}

function encodesPicture({ cut, picture, encoding }: VideoEdit): boolean {
  return cut !== null || picture !== null || (Array.isArray(encoding.picture) && !encoding.only_where_needed)
}

function copiesSound(
  edits: readonly VideoEdit[],
  tracks: readonly AudioTrack[],
  copies_picture: boolean,
): boolean {
  if (tracks.length === 0) return false
  const encoder = lastEncoder(edits, 'sound')
  if (encoder !== null && tracks.some(({ codec }) => codec !== codecOf(encoder))) return false
  const encodes = ({ cut, sound, encoding }: VideoEdit) =>
    cut !== null ||
    typeof sound === 'function' ||
    (Array.isArray(encoding.sound) && !encoding.only_where_needed)
  if (edits.some(encodes)) return false
  return (
    copies_picture || edits.some(({ encoding }) => encoding.sound === 'copy' || encoding.only_where_needed)
  )
}

/** The last edit that names an encoder has its way. */
function lastEncoder(edits: readonly VideoEdit[], kind: 'picture' | 'sound'): string[] | null {
  const named = edits.map(({ encoding }) => encoding[kind]).findLast((options) => Array.isArray(options))
  return named ?? null
}

/** null where the container can't hold what the encoder makes. */
function fitting(options: string[] | null, container: VideoContainer): string[] | null {
  const codec = options === null ? null : codecOf(options)
  return codec === null || !holdsCodec(container, codec) ? null : options
}
