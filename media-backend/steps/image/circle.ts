import type { ImageAction } from '../../../shared/planning/steps.ts'
import type { Layer } from './layer-bitmap.ts'

/**
 * Draws an antialiased disc as a mask for the image. With a background, instead draws the area around the disc,
 * which covers the corners of the image.
 */
export function circleMask({ diameter, background }: Extract<ImageAction, { action: 'circle' }>): Layer {
  const data = Buffer.alloc(diameter * diameter * 4)
  const [red, green, blue] = background === null ? [0, 0, 0] : parseColor(background)
  const radius = diameter / 2
  for (let y = 0, index = 0; y < diameter; y += 1) {
    for (let x = 0; x < diameter; x += 1, index += 4) {
      const distance = Math.hypot(x + 0.5 - radius, y + 0.5 - radius)
      const inside = Math.min(1, Math.max(0, radius - distance + 0.5))
      data[index] = red
      data[index + 1] = green
      data[index + 2] = blue
      data[index + 3] = Math.round((background === null ? inside : 1 - inside) * 255)
    }
  }
  const blend = background === null ? 'dest-in' : 'over'
  return { data, width: diameter, height: diameter, place: { x: 0, y: 0 }, blend }
}

function parseColor(color: string): [number, number, number] {
  const value = Number.parseInt(color.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}
