import type { MediaProbe, VideoTrack } from '../../planning/facts.ts'

/** How a picture is read so that all its frames have the size of the first, and stand as players show them. */
export interface FrameNormalization {
  /** Of the input. */
  options: string[]
  /** Before all other filters. */
  filters: string[]
  /** Parts of the graph beside these, where what is written could itself say that it is turned. */
  sinks: string[]
}

/** Broadcasts, and codecs of calls, where somebody turns a phone. */
const CONTAINERS = ['mpegts', 'mpeg']
const CODECS = ['vp8', 'vp9', 'av1']

const ROTATIONS: Partial<Record<number, string[]>> = {
  90: ['transpose=clock'],
  180: ['hflip', 'vflip'],
  270: ['transpose=cclock'],
}

/**
 * A picture may change its size on the way. ffmpeg would then begin the whole graph anew, and with it every
 * count and every first time in it. So the graph stays, and its first filter brings a frame of another size
 * to that of the first; all others pass untouched. Only then it is turned: ffmpeg itself would do that
 * before our filters, by one that takes no other size.
 */
export function normalizeFrames({
  container,
  video,
}: Pick<MediaProbe, 'container' | 'video'>): FrameNormalization {
  const { stored, codec } = video
  if (stored === undefined) return { options: [], filters: [], sinks: [] }
  const { width, height } = stored
  const rotations = rotateUpright(video)
  const often_changes = CONTAINERS.includes(container) || CODECS.includes(codec)
  const keeps_shape = often_changes || rotations.length > 0
  const fit = keeps_shape ? fitWithBars(stored, video) : [`scale=${width}:${height}:interl=-1`]
  return {
    options: ['-noautorotate', '-reinit_filter:v', '0'],
    filters: [...fit, ...rotations],
    // What a graph's one input says of its turn, ffmpeg 5 says of the output as well: so it gets two.
    sinks: rotations.length > 0 ? [`[0:${video.index}]nullsink`] : [],
  }
}

/** Also keeps the aspect ratio of each frame. Not used for all files: bars cost a copy of every frame, as a turn does. */
function fitWithBars(
  { width, height, sample_aspect_ratio }: NonNullable<VideoTrack['stored']>,
  { pixel_format }: VideoTrack,
): string[] {
  const shape = ((width * sample_aspect_ratio) / height).toFixed(9)
  // pad rounds the canvas down to whole chroma samples, so an odd frame would not fit into its own canvas.
  const block = chromaBlock(pixel_format)
  const canvas = { width: roundUp(width, block.width), height: roundUp(height, block.height) }
  const wide = `round(${canvas.width}*min(1,dar/${shape}))`
  const high = `round(${canvas.height}*min(1,${shape}/dar))`
  return [
    `scale=w='${wide}':h='${high}':eval=frame:interl=-1`,
    `pad=${canvas.width}:${canvas.height}:-1:-1:eval=frame`,
  ]
}

/** The luma samples that share one chroma sample: 2 x 2 unless the format is one of the two wider ones. */
function chromaBlock(pixel_format: string): { width: number; height: number } {
  if (/^yuvj?410/.test(pixel_format)) return { width: 4, height: 4 }
  return { width: /^yuvj?411/.test(pixel_format) ? 4 : 2, height: 2 }
}

function roundUp(length: number, block: number): number {
  return Math.ceil(length / block) * block
}

/** As ffmpeg would do it. The frames are not to say any more that they want to be turned: newer ones hand that on. */
function rotateUpright({ rotation_degrees, mirrored }: VideoTrack): string[] {
  const rotations = [...(mirrored ? ['vflip'] : []), ...(ROTATIONS[rotation_degrees] ?? [])]
  return rotations.length === 0 ? [] : [...rotations, 'sidedata=mode=delete:type=DISPLAYMATRIX']
}
