import type { MediaProbe } from '../facts.ts'

/** How a picture is read so that all its frames have the size of the first. */
export interface Steady {
  /** Of the input. */
  options: string[]
  /** Before all other filters. */
  filters: string[]
}

/** Broadcasts, and codecs of calls, where somebody turns a phone. */
const CONTAINERS = ['mpegts', 'mpeg']
const CODECS = ['vp8', 'vp9', 'av1']

/**
 * A picture may change its size on the way. ffmpeg would then begin the whole graph anew, and with it every
 * count and every first time in it. So the graph stays, and its first filter brings a frame of another size
 * to that of the first; all others pass untouched. A turned picture is turned before our filters, by one
 * that takes no other size: there the graph does begin anew.
 */
export function steadyPicture({ container, video }: Pick<MediaProbe, 'container' | 'video'>): Steady {
  const { stored, rotation_degrees, codec } = video
  if (stored === undefined || rotation_degrees !== 0) return { options: [], filters: [] }
  const { width, height } = stored
  const often_changes = CONTAINERS.includes(container) || CODECS.includes(codec)
  return {
    options: ['-reinit_filter:v', '0'],
    filters: often_changes ? fitWithBars(stored) : [`scale=${width}:${height}:interl=-1`],
  }
}

/** Also keeps the shape of what is shown. Not for all files: bars cost a copy of every frame. */
function fitWithBars(stored: { width: number; height: number; sample_aspect_ratio: number }): string[] {
  const { width, height, sample_aspect_ratio } = stored
  const shape = ((width * sample_aspect_ratio) / height).toFixed(9)
  const [wide, high] = [`round(${width}*min(1,dar/${shape}))`, `round(${height}*min(1,${shape}/dar))`]
  return [`scale=w='${wide}':h='${high}':eval=frame:interl=-1`, `pad=${width}:${height}:-1:-1:eval=frame`]
}
