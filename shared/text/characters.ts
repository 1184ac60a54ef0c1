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

/** Matches characters that fonts draw in color: emoji, flags, and keycaps such as 5️⃣. */
const COLORED = /\p{Emoji_Presentation}|\p{Emoji}\uFE0F|\p{Regional_Indicator}|\u20E3/u

export function hasColoredEmoji(text: string): boolean {
  return COLORED.test(text)
}

const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Splits text into the characters that readers see. Several emoji joined into one are a single character. */
export function splitGraphemes(text: string): string[] {
  return Array.from(GRAPHEMES.segment(text), ({ segment }) => segment)
}

/** Splits text before and after each colored emoji. */
export function splitEmoji(text: string): string[] {
  if (!hasColoredEmoji(text)) return [text]
  const parts: string[] = []
  let plain = ''
  for (const character of splitGraphemes(text)) {
    if (!hasColoredEmoji(character)) {
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
