/** Scripts without spaces between words, as a regular expression class. */
export const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('')

const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'u')

/** Checks whether text contains a script without spaces between words. */
export function hasUnspaced(text: string): boolean {
  return UNSPACED.test(text)
}

/** Removes control characters and lone surrogates, and normalizes line breaks to \n. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(/[^\P{Cc}\n]/gu, '')
    .trim()
}

/** Emoji, flags, and keycaps such as 5️⃣, which fonts draw in color. */
const EMOJI = '\\p{Emoji_Presentation}|\\p{Emoji}\\uFE0F|\\p{Regional_Indicator}|[\\d#*]\\uFE0F?\\u20E3'
const CONTAINS_EMOJI = new RegExp(EMOJI, 'u')
/** A skin tone and the frame of a keycap also join other characters, such as brackets, which they don't color. */
const STARTS_WITH_EMOJI = new RegExp(`^(?:\\p{Extended_Pictographic}\\u200D?)*(?:${EMOJI})`, 'u')

export function hasColoredEmoji(text: string): boolean {
  return CONTAINS_EMOJI.test(text) && splitGraphemes(text).some(isColoredEmoji)
}

/** Checks whether a part that splitEmoji returns is an emoji. */
export function isColoredEmoji(part: string): boolean {
  return STARTS_WITH_EMOJI.test(part)
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Splits text into the characters that readers see. Several emoji joined into one are a single character. */
export function splitGraphemes(text: string): string[] {
  return Array.from(GRAPHEMES.segment(text), ({ segment }) => segment)
}

/** Splits text before and after each colored emoji. */
export function splitEmoji(text: string): string[] {
  if (!CONTAINS_EMOJI.test(text)) return [text]
  const parts: string[] = []
  let plain = ''
  for (const character of splitGraphemes(text)) {
    if (!isColoredEmoji(character)) {
      plain += character
      continue
    }
    parts.push(plain, character)
    plain = ''
  }
  return [...parts, plain].filter((part) => part !== '')
}

/** Checks whether text has visible characters; fillers, joiners and the Braille blank do not count. */
export function hasVisibleCharacters(text: string): boolean {
  return /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)
}
