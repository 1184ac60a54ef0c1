import { alignmentOf, type Place } from '../../text/positions.ts'
import type { Drawing } from './background.ts'

/** Share of the image that a gradient covers. */
const REACH = 0.75

/** Darkens an image behind text, either on the side of the text or everywhere. */
export function drawShade(
  {
    shade,
    shade_opacity,
    position,
  }: { shade: 'gradient' | 'full' | 'none'; shade_opacity: number; position: Place },
  { width, height }: { width: number; height: number },
): Drawing {
  if (shade === 'none') return ({ input, output }) => `${input}null${output}`
  const alpha = (shade_opacity * 255).toFixed(1)
  const strength = shade === 'full' ? alpha : `${alpha}*pow(clip(${distanceOf(position)},0,1),1.3)`
  const black = `color=black:s=${width}x${height}:r=1:d=1,format=rgba,geq=r=0:g=0:b=0:a='${strength}'`
  return ({ input, output, own }) =>
    `${black}${own('shade')};${input}${own('shade')}overlay=format=yuv444${output}`
}

/**
 * Returns an expression that is 1 at the edge with the text and 0 where the shade ends, or a constant for centered
 * text.
 */
function distanceOf(position: Place): string {
  const { x, y } = alignmentOf(position)
  if (y !== 0.5) return y === 1 ? `1-(1-Y/H)/${REACH}` : `1-(Y/H)/${REACH}`
  if (x !== 0.5) return x === 1 ? `1-(1-X/W)/${REACH}` : `1-(X/W)/${REACH}`
  return '0.6'
}
