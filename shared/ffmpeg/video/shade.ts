import { type Place, shareOf } from '../../text/positions.ts'
import type { Drawing } from './background.ts'

/** How far into the picture a gradient reaches. */
const REACH = 0.75

/** Darkens a picture behind a text: on the side where the text is, or everywhere. */
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

/** 1 at the edge where the text is, 0 where the shade ends; in the middle of the picture the same all over. */
function distanceOf(position: Place): string {
  const { x, y } = shareOf(position)
  if (y !== 0.5) return y === 1 ? `1-(1-Y/H)/${REACH}` : `1-(Y/H)/${REACH}`
  if (x !== 0.5) return x === 1 ? `1-(1-X/W)/${REACH}` : `1-(X/W)/${REACH}`
  return '0.6'
}
