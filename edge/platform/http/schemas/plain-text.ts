import { z } from '@hono/zod-openapi'
import { packTexts } from '../../../../shared/text/texts.ts'

/** Matches text that contains no control characters and no characters that change the text direction. */
const PLAIN_TEXT = /^[^\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u

const NOT_PLAIN = packTexts({
  en: 'Must be plain text.',
  uk: 'Значення має бути звичайним текстом.',
  ru: 'Значение должно быть обычным текстом.',
})

/** Validates a single line of plain text that other people see. */
export function plainText(length_max: number) {
  return (
    z
      .string()
      .trim()
      .min(1)
      .max(length_max)
      .regex(PLAIN_TEXT, NOT_PLAIN)
      // OpenAPI linters compile patterns without the flag that \p requires.
      .openapi({ pattern: PLAIN_TEXT.source.replace('\\p{Cc}', '\\u0000-\\u001f\\u007f-\\u009f') })
  )
}
