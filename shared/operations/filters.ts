import type { AudioTrack, VideoTrack } from './facts.ts'

/** Full re-encodes are capped at 1080p: the shorter side, so that portrait clips keep their width. */
const SHORTER_SIDE_MAX = 1080
/** More than this, and many players' H.264 decoders give up; only extreme strips come near it. */
const LONGER_SIDE_MAX = 4096

const HDR_TRANSFERS: readonly (string | null)[] = ['smpte2084', 'arib-std-b67']

/** The size of a re-encoded picture: within the cap, and even, as yuv420p wants it. */
export function encodedSize(video: Pick<VideoTrack, 'width' | 'height'>): { width: number; height: number } {
  const shorter = Math.min(video.width, video.height)
  const longer = Math.max(video.width, video.height)
  const scale = Math.min(1, SHORTER_SIDE_MAX / shorter, LONGER_SIDE_MAX / longer)
  return { width: even(video.width * scale), height: even(video.height * scale) }
}

/** The nearest even whole number, at least 2. */
export function even(pixels: number): number {
  return Math.max(2, 2 * Math.round(pixels / 2))
}

/** A number of seconds as ffmpeg reads it: to the microsecond, never with an exponent. */
export function ffmpegSeconds(seconds: number): string {
  return seconds.toFixed(6).replace(/\.?0+$/, '')
}

/** A length as a person is told it: rounded down, so that it is not beyond the end itself. */
export function secondsInWords(seconds: number): string {
  return String(Math.floor(seconds * 100) / 100)
}

/**
 * The filters, in their order, from a decoded frame to an 8-bit SDR picture of square pixels. `crop` cuts
 * the frame before it is scaled.
 */
export function pictureFilters(
  video: Pick<VideoTrack, 'width' | 'height' | 'interlaced' | 'pixel_format'> & ColorTags,
  size: { width: number; height: number },
  crop: readonly string[] = [],
): string {
  const is_hdr = HDR_TRANSFERS.includes(video.color_transfer)
  const is_rgb = RGB.test(video.pixel_format)
  return [
    // One frame a frame, so that the count and the times of frames stay what they were.
    ...(video.interlaced ? ['bwdif=mode=send_frame'] : []),
    // Before the size changes, which hides how large the video was.
    ...(is_hdr || is_rgb ? [] : tagColors(video, is_rgb)),
    ...crop,
    `scale=${size.width}:${size.height}`,
    ...(is_hdr ? toneMapping(video.color_transfer) : []),
    'setsar=1',
  ].join(',')
}

/**
 * What a decoded frame needs before it is edited: whole frames of square pixels in the size given,
 * YUV with the brightness range and the colours that screens show, and tags that say so.
 */
export function sourceFilters(
  video: Pick<VideoTrack, 'width' | 'height' | 'interlaced' | 'pixel_format'> & ColorTags,
  size: { width: number; height: number } = video,
): string[] {
  const is_hdr = HDR_TRANSFERS.includes(video.color_transfer)
  const is_rgb = RGB.test(video.pixel_format)
  const is_full = video.color_range === 'pc' || video.pixel_format.startsWith('yuvj')
  const matrix = is_rgb ? ':out_color_matrix=bt709' : ''
  return [
    // One frame a frame, so that the count and the times of frames stay what they were.
    ...(video.interlaced ? ['bwdif=mode=send_frame'] : []),
    `scale=${size.width}:${size.height}:out_range=tv${matrix}`,
    ...(is_rgb || is_full ? [`format=${is_hdr ? 'yuv420p10le' : 'yuv420p'}`] : []),
    'setsar=1',
    ...(is_hdr ? [toneMapping(video.color_transfer).join(',')] : tagColors(video, is_rgb)),
  ]
}

type ColorTags = Pick<VideoTrack, 'color_transfer' | 'color_space' | 'color_primaries' | 'color_range'>

const RGB = /^(rgb|bgr|gbr|argb|abgr|0rgb|0bgr|pal8|x2rgb|x2bgr)/

/** Where a file doesn't say, players take HD for BT.709 and less for BT.601: said before it is resized. */
function tagColors(video: Pick<VideoTrack, 'width' | 'height'> & ColorTags, is_rgb: boolean): string[] {
  if (video.color_space != null && !is_rgb) return []
  const tags = is_rgb || Math.max(video.width, video.height) >= 1280 ? 'bt709' : 'smpte170m'
  return [`setparams=color_primaries=${tags}:color_trc=${tags}:colorspace=${tags}`]
}

/**
 * HDR brightness brought into BT.709; without it the picture looks grey and flat. HDR's white of 203 nits
 * comes out as a light grey, what is darker than a third of it just as it was, 1000 nits as white.
 */
function toneMapping(transfer: string | null): string[] {
  return [
    `zscale=transferin=${transfer}:primariesin=bt2020:matrixin=bt2020nc:transfer=linear:npl=203`,
    'format=gbrpf32le',
    'zscale=primaries=bt709',
    'tonemap=tonemap=mobius:desat=0:peak=5',
    'zscale=transfer=bt709:matrix=bt709:range=tv',
    'format=yuv420p',
  ]
}

/** H.264 that every browser plays. */
export function webVideo({ crf, preset }: { crf: number; preset: string }): string[] {
  return ['-c:v', 'libx264', '-preset', preset, '-crf', String(crf), '-pix_fmt', 'yuv420p']
}

/** Maps just these tracks of an input. */
export function mapTracks(tracks: readonly Pick<AudioTrack, 'index'>[], input = 0): string[] {
  return tracks.flatMap((track) => ['-map', `${input}:${track.index}`])
}

export const WEB_AUDIO = ['-c:a', 'aac', '-b:a', '128k', '-ac', '2']

/** Puts the index first, so that an MP4 starts to play before it is loaded whole. */
export const FAST_START = ['-movflags', '+faststart']
