import type { MediaProbe, VideoTrack } from '../../planning/facts.ts'

/** How to read video so that all frames are upright and have the size of the first one. */
export interface FrameNormalization {
  /** Input options. */
  options: string[]
  /** Filters to run before all others. */
  filters: string[]
  /** Additional parts of the graph, needed if the source has rotation metadata. */
  sinks: string[]
}

/** Broadcast containers and video call codecs, in which the frame size often changes. */
const CONTAINERS = ['mpegts', 'mpeg']
const CODECS = ['vp8', 'vp9', 'av1']

const ROTATIONS: Partial<Record<number, string[]>> = {
  90: ['transpose=clock'],
  180: ['hflip', 'vflip'],
  270: ['transpose=cclock'],
}

/**
 * Drops the frames between a keyframe and the start of an edit list. ffmpeg decodes them with negative timestamps
 * and would display them all at once at the start.
 */
const DROP_HIDDEN_START = "select='gte(t,-0.001)'"

/**
 * Returns options and filters for video whose frame size may change. ffmpeg would restart the graph and its
 * counters; instead, the first filter scales frames to the size of the first one. Rotation comes next, because
 * ffmpeg's automatic rotation would run earlier and does not support a size change.
 */
export function normalizeFrames({
  container,
  video,
  hides_start,
}: Pick<MediaProbe, 'container' | 'video' | 'hides_start'>): FrameNormalization {
  const { stored, codec } = video
  const displayed = hides_start ? [DROP_HIDDEN_START] : []
  if (stored === undefined) return { options: [], filters: displayed, sinks: [] }
  const { width, height } = stored
  const rotations = rotateUpright(video)
  const often_changes = CONTAINERS.includes(container) || CODECS.includes(codec)
  const keeps_shape = often_changes || rotations.length > 0
  const fit = keeps_shape ? fitWithBars(stored, video) : [`scale=${width}:${height}:interl=-1`]
  return {
    options: ['-noautorotate', '-reinit_filter:v', '0'],
    filters: [...displayed, ...fit, ...rotations],
    // ffmpeg 5 copies the rotation metadata of a graph's only input to the output; a second input prevents
    // it.
    sinks: rotations.length > 0 ? [`[0:${video.index}]nullsink`] : [],
  }
}

/**
 * Scales frames to the size of the first one and keeps their aspect ratio with bars. Not used for all files,
 * because padding copies every frame.
 */
function fitWithBars(
  { width, height, sample_aspect_ratio }: NonNullable<VideoTrack['stored']>,
  { pixel_format }: VideoTrack,
): string[] {
  const shape = ((width * sample_aspect_ratio) / height).toFixed(9)
  // pad rounds the canvas down to whole chroma samples, so an odd-sized frame would not fit its own canvas.
  const block = chromaBlock(pixel_format)
  const canvas = { width: roundUp(width, block.width), height: roundUp(height, block.height) }
  const wide = `round(${canvas.width}*min(1,dar/${shape}))`
  const high = `round(${canvas.height}*min(1,${shape}/dar))`
  return [
    `scale=w='${wide}':h='${high}':eval=frame:interl=-1`,
    `pad=${canvas.width}:${canvas.height}:-1:-1:eval=frame`,
  ]
}

/** Returns the luma samples per chroma sample: 2 x 2, except for two wider formats. */
function chromaBlock(pixel_format: string): { width: number; height: number } {
  if (/^yuvj?410/.test(pixel_format)) return { width: 4, height: 4 }
  return { width: /^yuvj?411/.test(pixel_format) ? 4 : 2, height: 2 }
}

function roundUp(length: number, block: number): number {
  return Math.ceil(length / block) * block
}

/** Rotates frames as ffmpeg would, and removes their rotation metadata, which newer versions pass on. */
function rotateUpright({ rotation_degrees, mirrored }: VideoTrack): string[] {
  const rotations = [...(mirrored ? ['vflip'] : []), ...(ROTATIONS[rotation_degrees] ?? [])]
  return rotations.length === 0 ? [] : [...rotations, 'sidedata=mode=delete:type=DISPLAYMATRIX']
}
