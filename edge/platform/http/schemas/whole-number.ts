import { z } from '@hono/zod-openapi'

interface Bounds {
  min: number
  max: number
  description?: string
}

/** As people write them: not 1e3, 0x10, 5.0 or " 5", all of which a cast to a number would let pass. */
const NUMERAL = /^(0|-?[1-9]\d{0,29})$/

const missingOrOther = ({ input }: { input?: unknown }) =>
  input === undefined ? 'it is missing' : 'expected a whole number'

const numeral = z
  .string({ error: missingOrOther })
  .regex(NUMERAL, 'expected a whole number')
  .transform(Number)

/** Whatever number in a query, written as in JSON; which of them may be is said elsewhere. */
export const anyNumber = z
  .string()
  .regex(/^-?(0|[1-9]\d{0,29})(\.\d{1,30})?(e[+-]?\d{1,2})?$/i, 'expected a number')
  .transform(Number)

/** A whole number in an address: of a path, or of a query. It is described by hand, as what it stands for. */
export function wholeNumber({ min, max, description }: Bounds) {
  return numeral.pipe(z.number().min(min).max(max)).openapi({
    type: 'integer',
    minimum: min,
    maximum: max,
    ...(description === undefined ? {} : { description }),
  })
}

/** The same in a query, where it may be left out. */
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

/** An id that the database numbers, in an address. */
export const numericId = wholeNumber({ min: 1, max: Number.MAX_SAFE_INTEGER })
