import { z } from '@hono/zod-openapi'
import { packTexts } from '../../../../shared/text/texts.ts'

interface Bounds {
  min: number
  max: number
  description?: string
}

/** Matches plain decimal integers. Converting with Number would also accept 1e3, 0x10, 5.0 and " 5". */
const NUMERAL = /^(0|-?[1-9]\d{0,29})$/

const REQUIRED = packTexts({
  en: 'This parameter is required.',
  uk: 'Цей параметр обов’язковий.',
  ru: 'Этот параметр обязателен.',
})

const NOT_WHOLE = packTexts({
  en: 'Must be a whole number.',
  uk: 'Значення має бути цілим числом.',
  ru: 'Значение должно быть целым числом.',
})

const NOT_A_NUMBER = packTexts({
  en: 'Must be a number.',
  uk: 'Значення має бути числом.',
  ru: 'Значение должно быть числом.',
})

const missingOrOther = ({ input }: { input?: unknown }) => (input === undefined ? REQUIRED : NOT_WHOLE)

const numeral = z.string({ error: missingOrOther }).regex(NUMERAL, NOT_WHOLE).transform(Number)

/** Accepts any number in a query, written as in JSON. Its range is checked elsewhere. */
export const anyNumber = z
  .string()
  .regex(/^-?(0|[1-9]\d{0,29})(\.\d{1,30})?(e[+-]?\d{1,2})?$/i, NOT_A_NUMBER)
  .transform(Number)

/** Validates a whole number in a path or query, and documents it as an integer. */
export function wholeNumber({ min, max, description }: Bounds) {
  return numeral.pipe(z.number().min(min).max(max)).openapi({
    type: 'integer',
    minimum: min,
    maximum: max,
    ...(description === undefined ? {} : { description }),
  })
}

/** Validates an optional whole number in a query. */
export function wholeNumberOr(fallback: number, { min, max, description }: Bounds) {
  return numeral
    .pipe(z.number().min(min).max(max))
    .default(fallback)
    .openapi({
      type: 'integer',
      minimum: min,
      maximum: max,
      default: fallback,
      ...(description === undefined ? {} : { description }),
    })
}

/** Validates a numeric database id in a path. */
export const numericId = wholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER })
