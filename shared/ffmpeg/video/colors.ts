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

/** Returns the matrix of the frames that `sourceFilters` and `frameFilters` prepare, as `scale` names it. */
function shownMatrix(video: Source): 'bt709' | 'bt601' | 'smpte240m' | 'fcc' {
  if (isConverted(video) || RGB.test(video.pixel_format)) return 'bt709'
  const { color_space } = video
  if (color_space === 'smpte240m' || color_space === 'fcc') return color_space
  return (color_space ?? guessColors(video)) === 'bt709' ? 'bt709' : 'bt601'
}

/**
 * Returns the filter that converts images with transparency for an overlay on these frames. `overlay` would always
 * convert them as BT.601, which changes their colors on HD video.
 */
export function overlayColors(video: Source, format: 'yuva420p' | 'yuva444p' = 'yuva420p'): string {
  return `format=rgba,scale=out_color_matrix=${shownMatrix(video)}:out_range=tv,format=${format}`
}

function ownColors({ color_space, color_primaries }: ColorTags): Partial<ColorTags> {
  return { color_space: color_space ?? null, color_primaries: color_primaries ?? null }
}

function isHdr({ color_transfer }: Pick<ColorTags, 'color_transfer'>): boolean {
  return HDR_TRANSFERS.includes(color_transfer)
}

/** Checks for SDR with wide primaries. RGB is left unchanged, whatever its primaries are. */
function isWide({
  color_primaries,
  pixel_format,
}: Pick<Source, 'color_primaries' | 'pixel_format'>): boolean {
  return WIDE_PRIMARIES.includes(color_primaries) && !RGB.test(pixel_format)
}

function isConverted(video: Pick<Source, 'color_transfer' | 'color_primaries' | 'pixel_format'>): boolean {
  return isHdr(video) || isWide(video)
}

/** Returns the filters that convert HDR and wide primaries to BT.709; none for other colors. */
export function convertColors(
  video: Omit<Source, 'codec' | 'stored' | 'interlaced'>,
  { width, height }: Size,
): string[] {
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
function tagColors(video: Size & ColorTags, is_rgb: boolean): string[] {
  const { codec, color_space, color_primaries, color_transfer } = video
  if (color_space != null && !is_rgb) {
    return codec === 'vp8' ? [setColors(color_primaries, color_transfer, color_space)] : []
  }
  const tags = is_rgb ? 'bt709' : guessColors(video)
  return [setColors(tags, tags, tags)]
}

/** Returns the colors that players assume if a video declares none. */
function guessColors(shown: Size & ColorTags): 'bt709' | 'smpte170m' {
  const { width, height } = shown.stored ?? shown
  return Math.max(width, height) >= 1280 ? 'bt709' : 'smpte170m'
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
    // These describe the HDR screen that the video was made on. Newer encoders write them into the result.
    ...['MASTERING_DISPLAY_METADATA', 'CONTENT_LIGHT_LEVEL'].map(
      (type) => `sidedata=mode=delete:type=${type}`,
    ),
  ]
}

/** Converts wide primaries to BT.709; colors outside its gamut are clipped. */
function narrowGamut({
  color_primaries,
  color_space,
}: Pick<ColorTags, 'color_primaries' | 'color_space'>): string[] {
  const matrix = color_space ?? (color_primaries === 'bt2020' ? 'bt2020nc' : 'bt709')
  return [
    `zscale=primariesin=${color_primaries}:transferin=bt709:matrixin=${matrix}:primaries=bt709:transfer=bt709:matrix=bt709:range=tv`,
  ]
}
