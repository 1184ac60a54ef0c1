import { z } from '@hono/zod-openapi'

/** Without control signs, and without those that turn the direction of what follows them. */
const PLAIN_TEXT = /^[^\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u

/** A name that others see: one line of plain text. */
export function plainText(length_max: number) {
  return (
    z
      .string()
      .trim()
      .min(1)
      .max(length_max)
      .regex(PLAIN_TEXT, 'must be plain text')
      // Patterns of a document are in Unicode as they stand: the flag is no part of them.
      .openapi({ pattern: PLAIN_TEXT.source })
  )
}
