import type { AudioTrack, MediaProbe, VideoTrack } from '../../planning/facts.ts'
import type { EncodeMode } from '../../planning/operation.ts'
import type { RateTarget, VideoEdit } from '../edit.ts'
import { playedAudio } from '../played-audio.ts'
import {
  canCopyAudio,
  canCopyVideo,
  remuxContainer,
  supportsCodec,
  type VideoContainer,
} from './containers.ts'
import { codecOf, defaultAudioEncoder, defaultVideoEncoder, type VideoEncoder } from './encoders.ts'

/**
 * Pixel formats that browsers and devices decode. They do not play 4:4:4, nor H.264 with more than 8 bits.
 */
const PLAYED_FORMATS: Partial<Record<string, readonly string[]>> = {
  h264: ['yuv420p', 'yuvj420p'],
  hevc: ['yuv420p', 'yuvj420p', 'yuv420p10le'],
  vp9: ['yuv420p', 'yuv420p10le'],
}

/** What to encode, with which options, and into which container. */
export interface Treatment {
  video: string[] | 'copy'
  /** The quality of an encoded video, if its rate factor suits the video. */
  rate?: RateTarget | undefined
  /** null if there is no audio. */
  audio: string[] | 'copy' | null
  /** Audio tracks of the source to use. If this is empty and `audio` is encoded, the audio starts from silence. */
  tracks: readonly AudioTrack[]
  container: VideoContainer
}

/** Decides what a sequence of edits can copy (Contract: Video operations, Encoding). */
export function chooseTreatment(edits: readonly VideoEdit[], probe: MediaProbe): Treatment {
  const video_encoder = lastVideoEncoder(edits)
  const video_fits = video_encoder === null || isEncodedAs(probe.video, codecOf(video_encoder.options))
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
  const encoded = fitting(lastAudioEncoder(edits), container) ?? defaultAudioEncoder(container)
  return {
    ...(copies_video ? { video: 'copy' } : encodedBy(video_encoder, container)),
    audio: hasAudioTrack(edits, tracks) ? (keeps_audio ? 'copy' : encoded) : null,
    tracks,
    container,
  }
}

/** Returns the chosen encoder, or the default one if the container does not support its codec. */
function encodedBy(
  chosen: VideoEncoder | null,
  container: VideoContainer,
): Pick<Treatment, 'video' | 'rate'> {
  const is_supported = chosen !== null && fitting(chosen.options, container) !== null
  const { options, rate } = is_supported ? chosen : defaultVideoEncoder(container)
  return { video: options, rate }
}

/** Returns the container of the last edit that sets one. */
function requestedContainer(edits: readonly VideoEdit[]): VideoContainer | undefined {
  return edits.findLast(({ encoding }) => encoding.container !== undefined)?.encoding.container
}

/** Checks whether a video already has the encoder's codec, in a pixel format that players decode. */
function isEncodedAs({ codec, pixel_format }: VideoTrack, encoder_codec: string | null): boolean {
  return codec === encoder_codec && (PLAYED_FORMATS[codec]?.includes(pixel_format) ?? true)
}

/**
 * Returns the encode mode (Contract: Video operations, Encoding). Without audio, the video alone determines
 * it.
 */
export function encodeModeOf({ video, audio }: Treatment): EncodeMode {
  if (video === 'copy') return audio === 'copy' || audio === null ? 'remux' : 'video_copy'
  return audio === 'copy' ? 'audio_copy' : 'encode'
}

/** Returns the edits after the last one that drops the audio. */
export function audibleEdits(edits: readonly VideoEdit[]): readonly VideoEdit[] {
  return edits.slice(edits.findLastIndex(({ audio }) => audio === 'none') + 1)
}

function keptTracks(edits: readonly VideoEdit[], probe: MediaProbe): readonly AudioTrack[] {
  if (edits.some(({ audio }) => audio === 'none')) return []
  return edits.some(({ tracks }) => tracks === 'played') ? playedAudio(probe.audio) : probe.audio
}

/** Checks whether the result has audio. An edit can add audio to a silent video; its `after` then has a track. */
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
  const encoder = lastAudioEncoder(edits)
  if (encoder !== null && tracks.some(({ codec }) => codec !== codecOf(encoder))) return false
  const encodes = ({ cut, audio, encoding }: VideoEdit) =>
    cut !== null ||
    typeof audio === 'function' ||
    (Array.isArray(encoding.audio) && !encoding.only_where_needed)
  if (edits.some(encodes)) return false
  return copies_video || edits.some(({ encoding }) => encoding.audio === 'copy' || encoding.only_where_needed)
}

/** Returns the video encoder of the last edit that sets one. */
function lastVideoEncoder(edits: readonly VideoEdit[]): VideoEncoder | null {
  const encoders = edits.flatMap(({ encoding: { video, rate } }) =>
    Array.isArray(video) ? [{ options: video, rate }] : [],
  )
  return encoders.at(-1) ?? null
}

/** Returns the audio encoder options of the last edit that sets them. */
function lastAudioEncoder(edits: readonly VideoEdit[]): string[] | null {
  return edits.map(({ encoding }) => encoding.audio).findLast((options) => Array.isArray(options)) ?? null
}

/** Returns the encoder options, or null if the container does not support the codec. */
function fitting(options: string[] | null, container: VideoContainer): string[] | null {
  const codec = options === null ? null : codecOf(options)
  return codec === null || !supportsCodec(container, codec) ? null : options
}
