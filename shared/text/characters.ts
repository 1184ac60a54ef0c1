/** Scripts that are written without blanks between the words, as a class of a regular expression has them. */
export const UNSPACED_SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script=${script}}`)
  .join('')

const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'u')

/** Whether some of the text is in a script without blanks between the words. */
export function hasUnspaced(text: string): boolean {
  return UNSPACED.test(text)
}

/** Without what has no shape: control characters, halves of characters; one kind of line break. */
export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n')
    .replaceAll('\t', ' ')
    .replace(/[^\P{Cc}\n]/gu, '')
    .trim()
}

/** What fonts show as a picture in colors: emoji, flags, and keys such as 5️⃣. */
const COLORED = /\p{Emoji_Presentation}|\p{Emoji}\uFE0F|\p{Regional_Indicator}|\u20E3/u

export function hasColoredEmoji(text: string): boolean {
  return COLORED.test(text)
}

/** Whether anything of the text is seen: fillers, joiners and the blank of Braille are not. */
export function hasInk(text: string): boolean {
  return /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text)
}
