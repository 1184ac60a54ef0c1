import type { Blend } from 'sharp'

/** What is laid over a picture: RGBA pixels and where they go. */
export interface Layer {
  data: Buffer
  width: number
  height: number
  place: { x: number; y: number } | 'tiled'
  blend: Blend
}
