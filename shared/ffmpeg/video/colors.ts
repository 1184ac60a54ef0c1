import type { VideoTrack } from '../../planning/facts.ts'

type ColorTags = Pick<
  VideoTrack,
  'codec' | 'stored' | 'color_transfer' | 'color_space' | 'color_primaries' | 'color_range'
>
type Source = Pick<VideoTrack, 'width' | 'height' | 'interlaced' | 'pixel_format'> & ColorTags
type Size = Pick<VideoTrack, 'width' | 'height'>

const HDR_TRANSFERS: readonly (string | null)[] = ['smpte2084', 'arib-std-b67']
/** SDR primaries that are wider than screens and 8-bit H.264 can show: BT.2020, DCI-P3 and Display P3. */
const WIDE_PRIMARIES: readonly (string | null | undefined)[] = ['bt2020', 'smpte431', 'smpte432']
const RGB = /^(rgb|bgr|gbr|argb|abgr|0rgb|0bgr|pal8|x2rgb|x2bgr)/

/**
 * Returns the filters that convert a decoded frame to 8-bit SDR with square pixels. `crop` runs before
 * scaling.
 */
export function frameFilters(video: Source, size: Size, crop: readonly string[] = []): string {
  const is_rgb = RGB.test(video.pixel_format)
  return [
    // One output frame per input frame keeps the frame count and timestamps.
    ...(video.interlaced ? ['bwdif=mode=send_frame'] : []),
    // Tags colors before scaling, because the guess depends on the original size.
    ...(isConverted(video) || is_rgb ? [] : tagColors(video, is_rgb)),
    ...crop,
    `scale=${size.width}:${size.height}`,
    ...convertColors(video, size),
    'setsar=1',
  ].join(',')
}

/**
 * Returns the filters that prepare decoded frames for editing: deinterlaced, with square pixels at the given size,
 * and in YUV with the range and colors that screens show. The frames are tagged accordingly.
 */
export function sourceFilters(video: Source & { shows_fields?: boolean }, size: Size = video): string[] {
  const is_rgb = RGB.test(video.pixel_format)
  const is_full = video.color_range === 'pc' || video.pixel_format.startsWith('yuvj')
  const matrix = is_rgb ? ':out_color_matrix=bt709' : ''
  const converted = convertColors(video, size)
  return [
    // One output frame per input frame keeps the frame count and timestamps; one per field doubles the rate.
    ...(video.interlaced ? [`bwdif=mode=${video.shows_fields ? 'send_field' : 'send_frame'}`] : []),
    `scale=${size.width}:${size.height}:out_range=tv${matrix}`,
    ...(is_rgb || is_full ? [`format=${isHdr(video) ? 'yuv420p10le' : 'yuv420p'}`] : []),
    'setsar=1',
    ...(converted.length > 0 ? [converted.join(',')] : tagColors(video, is_rgb)),
  ]
}

/** Returns the color tags of an encoded result. */
export function shownColors(video: Source): Omit<ColorTags, 'codec' | 'stored'> {
  const bt709 = { color_space: 'bt709', color_primaries: 'bt709' }
  return { color_range: 'tv', color_transfer: 'bt709', ...(isConverted(video) ? bt709 : ownColors(video)) }
}

function ownColors({ color_space, color_primaries }: ColorTags): Partial<ColorTags> {
  return { color_space: color_space ?? null, color_primaries: color_primaries ?? null }
}

function isHdr({ color_transfer }: ColorTags): boolean {
  return HDR_TRANSFERS.includes(color_transfer)
}

/** Checks for SDR with wide primaries. RGB is left unchanged, whatever its primaries are. */
function isWide({ color_primaries, pixel_format }: Source): boolean {
  return WIDE_PRIMARIES.includes(color_primaries) && !RGB.test(pixel_format)
}

function isConverted(video: Source): boolean {
  return isHdr(video) || isWide(video)
}

/** Returns the filters that convert HDR and wide primaries to BT.709; none for other colors. */
function convertColors(video: Source, { width, height }: Size): string[] {
  if (!isConverted(video)) return []
  // zscale does not support subsampled chroma with odd dimensions.
  const is_odd = width % 2 === 1 || height % 2 === 1
  return [
    ...(is_odd ? ['format=yuv444p10le'] : []),
    ...(isHdr(video) ? mapTones(video.color_transfer) : narrowGamut(video)),
    is_odd ? 'format=yuv444p' : 'format=yuv420p',
  ]
}

/**
 * Tags colors that the file does not declare, with the values that players guess: BT.709 for HD and BT.601 for
 * smaller videos, based on the stored size. The VP8 decoder always reports BT.601, but browsers use the container's
 * tags.
 */
function tagColors(
  { codec, color_space, color_primaries, color_transfer, ...shown }: Size & ColorTags,
  is_rgb: boolean,
): string[] {
  if (color_space != null && !is_rgb) {
    return codec === 'vp8' ? [setColors(color_primaries, color_transfer, color_space)] : []
  }
  const { width, height } = shown.stored ?? shown
  const tags = is_rgb || Math.max(width, height) >= 1280 ? 'bt709' : 'smpte170m'
  return [setColors(tags, tags, tags)]
}

function setColors(
  primaries: string | null | undefined,
  transfer: string | null | undefined,
  space: string,
): string {
  return `setparams=color_primaries=${primaries ?? space}:color_trc=${transfer ?? space}:colorspace=${space}`
}

/**
 * Tone-maps HDR to BT.709; without this, the video looks gray and flat. HDR white (203 nits) becomes light gray,
 * values below a third of it stay unchanged, and 1000 nits become white.
 */
function mapTones(transfer: string | null): string[] {
  return [
    `zscale=transferin=${transfer}:primariesin=bt2020:matrixin=bt2020nc:transfer=linear:npl=203`,
    'format=gbrpf32le',
    'zscale=primaries=bt709',
    'tonemap=tonemap=mobius:desat=0:peak=5',
    'zscale=transfer=bt709:matrix=bt709:range=tv',
  ]
}

/** Converts wide primaries to BT.709; colors outside its gamut are clipped. */
function narrowGamut({ color_primaries, color_space }: ColorTags): string[] {
  const matrix = color_space ?? (color_primaries === 'bt2020' ? 'bt2020nc' : 'bt709')
  return [
    `zscale=primariesin=${color_primaries}:transferin=bt709:matrixin=${matrix}:primaries=bt709:transfer=bt709:matrix=bt709:range=tv`,
  ]
}
