import { z } from 'zod'

/** The colours that people call by name, as CSS does. */
const NAMED = {
  black: '#000000',
  white: '#ffffff',
  gray: '#808080',
  grey: '#808080',
  red: '#ff0000',
  orange: '#ffa500',
  yellow: '#ffff00',
  green: '#008000',
  blue: '#0000ff',
  purple: '#800080',
  pink: '#ffc0cb',
} as const

const PATTERN = new RegExp(`^(#?([0-9a-f]{3}|[0-9a-f]{6})|${Object.keys(NAMED).join('|')})$`, 'i')

/** A colour as people write it: #rrggbb, #rgb (with or without #) or a common name; gives "#rrggbb". */
export const Colour = z
  .string()
  .max(16)
  .regex(PATTERN, 'must be a colour such as #ffcc00, #fc0 or white')
  .transform(normalizeColour)

function normalizeColour(text: string): string {
  const lower = text.toLowerCase()
  if (Object.hasOwn(NAMED, lower)) return NAMED[lower as keyof typeof NAMED]
  const digits = lower.replace('#', '')
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`
}

/** "#rrggbb" as ffmpeg's filters take it: "0xrrggbb". */
export function ffmpegColour(colour: string): string {
  return colour.replace('#', '0x')
}
