import { z } from 'zod'
import { packTexts } from '../text/texts.ts'

/** Named colors, with their CSS values. */
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

/** Parses a color: #rrggbb, #rgb (# optional) or a common name. Returns "#rrggbb". */
export const Color = z
  .string()
  .max(16)
  .regex(
    PATTERN,
    packTexts({
      en: 'must be a color such as #ffcc00, #fc0 or white',
      uk: 'значення має бути кольором, наприклад #ffcc00, #fc0 або white',
      ru: 'значение должно быть цветом, например #ffcc00, #fc0 или white',
    }),
  )
  .transform(normalizeColor)

function normalizeColor(text: string): string {
  const lower = text.toLowerCase()
  if (Object.hasOwn(NAMED, lower)) return NAMED[lower as keyof typeof NAMED]
  const digits = lower.replace('#', '')
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`
}

/** Converts "#rrggbb" to the notation of ffmpeg filters, "0xrrggbb". */
export function ffmpegColor(color: string): string {
  return color.replace('#', '0x')
}
