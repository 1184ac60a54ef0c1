import type { VideoTrack } from '../../planning/facts.ts'

/**
 * Number of the parameter sets that the encoded parts use. Encoders number theirs from 0, so the parts and the copied
 * frames can share one list.
 */
export const PART_PARAMETER_SET = 30

const H264_PROFILES: Partial<Record<string, string>> = {
  'Constrained Baseline': 'baseline',
  Main: 'main',
  High: 'high',
}

/**
 * Returns the encoder options for the frames next to copied ones: same profile and pixel format, visually
 * lossless, and without B-frames, so any frame can be the last.
 * @param shares_sequence the frames use the sequence parameters of the copied ones (JoinStep).
 */
export function partEncoder(video: VideoTrack, shares_sequence: boolean): string[] {
  return video.codec === 'hevc' ? hevcEncoder(video) : h264Encoder(video, shares_sequence)
}

/**
 * Settings with which frames can be placed in another sequence: their headers are simple, the rest of a slice may start
 * at any bit, and there is one IDR frame, at the start.
 */
const PLACEABLE = ':cabac=0:ref=1:weightp=0:keyint=infinite:scenecut=0'

/** x265 always numbers its parameter sets 0; joining the parts gives them another number. */
function hevcEncoder({ pixel_format }: VideoTrack): string[] {
  return [
    ...['-c:v', 'libx265', '-preset', 'fast', '-crf', '14', '-pix_fmt', pixel_format, '-tag:v', 'hvc1'],
    ...['-x265-params', 'log-level=error:info=0:bframes=0:open-gop=0:repeat-headers=0'],
  ]
}

function h264Encoder(
  { coding, pixel_format, frames_per_second }: VideoTrack,
  shares_sequence: boolean,
): string[] {
  const rate = Math.min(240, Math.max(1, Math.round(frames_per_second) || 0))
  const { profile = '', level = 0 } = coding ?? {}
  return [
    ...['-c:v', 'libx264', '-preset', 'fast', '-crf', '16', '-pix_fmt', pixel_format],
    ...['-profile:v', H264_PROFILES[profile] ?? 'high', ...(level >= 10 ? ['-level:v', String(level)] : [])],
    ...[
      '-bf',
      '0',
      '-x264-params',
      `sps-id=${PART_PARAMETER_SET}:fps=${rate}${shares_sequence ? PLACEABLE : ''}`,
    ],
  ]
}
