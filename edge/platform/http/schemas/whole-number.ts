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

/** Describes the numbers that a parameter accepts. Ids have no range that would help. */
function notWhole({ min, max }: Bounds): string {
  const { en, uk, ru } =
    max === Number.MAX_SAFE_INTEGER
      ? { en: '', uk: '', ru: '' }
      : { en: ` from ${min} to ${max}`, uk: ` від ${min} до ${max}`, ru: ` от ${min} до ${max}` }
  return packTexts({
    en: `Must be a whole number${en}, written in digits.`,
    uk: `Значення має бути цілим числом${uk}, записаним цифрами.`,
    ru: `Значение должно быть целым числом${ru}, записанным цифрами.`,
  })
}

const NOT_A_NUMBER = packTexts({
  en: 'Must be a number.',
  uk: 'Значення має бути числом.',
  ru: 'Значение должно быть числом.',
})

function numeralIn(bounds: Bounds) {
  const other = notWhole(bounds)
  const missingOrOther = ({ input }: { input?: unknown }) => (input === undefined ? REQUIRED : other)
  return z
    .string({ error: missingOrOther })
    .regex(NUMERAL, other)
    .transform(Number)
    .pipe(z.number().min(bounds.min).max(bounds.max))
}

/** Accepts any number in a query, written as in JSON. Its range is checked elsewhere. */
export const anyNumber = z
  .string()
  .regex(/^-?(0|[1-9]\d{0,29})(\.\d{1,30})?(e[+-]?\d{1,2})?$/i, NOT_A_NUMBER)
  .transform(Number)

/** Validates a whole number in a path or query, and documents it as an integer. */
export function wholeNumber({ min, max, description }: Bounds) {
  return numeralIn({ min, max }).openapi({
    type: 'integer',
    minimum: min,
    maximum: max,
    ...(description === undefined ? {} : { description }),
  })
}

/** Validates an optional whole number in a query. */
export function wholeNumberOr(fallback: number, { min, max, description }: Bounds) {
  return numeralIn({ min, max })
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
