import type { Blend } from 'sharp'

/** An overlay: RGBA pixels and their position. */
export interface Layer {
  data: Buffer
  width: number
  height: number
  place: { x: number; y: number } | 'tiled'
  blend: Blend
}
