import { z } from '@hono/zod-openapi'
import { packTexts } from '../../../../shared/text/texts.ts'
import { schemaFault } from '../../errors/rules/field-faults.ts'
import { parseCursor } from '../../rules/paging.ts'
import { wholeNumberOr } from './whole-number.ts'

const OFFSET_MAX = 1_000_000_000

/** Number of rows to skip. */
export const offset = wholeNumberOr(0, { min: 0, max: OFFSET_MAX, description: 'Number of rows to skip' })

/** Maximum number of rows in a response. */
export const limitOf = (fallback: number, max: number) =>
  wholeNumberOr(fallback, { min: 1, max, description: 'Largest number of rows in the response' })

/** Position after which a page begins. Pages by cursor neither skip nor repeat rows while new ones arrive. */
export const cursor = z
  .string()
  .transform((text, context) => {
    const place = parseCursor(text)
    if (place !== null) return place
    context.addIssue({ code: 'custom', ...schemaFault('invalid_cursor') })
    return z.NEVER
  })
  .optional()
  .openapi({ type: 'string', description: 'From the `Link` header of the page before' })

/** zod's message for a union doesn't name its formats. */
const NOT_A_TIME = packTexts({
  en: 'Must be a date or time such as 2026-11-20T09:30:00Z.',
  uk: 'Значення має бути датою або часом, наприклад 2026-11-20T09:30:00Z.',
  ru: 'Значение должно быть датой или временем, например 2026-11-20T09:30:00Z.',
})

/** A time in a query, as Unix milliseconds. */
const time = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], { error: NOT_A_TIME })
  .transform((text) => Date.parse(text))
  .openapi({ type: 'string', example: '2026-11-20T09:30:00Z' })

/** Range of creation times. Adjoining ranges have no row in common. */
export const createdBetween = {
  created_after: time.optional().describe('Rows created at this time or later (ISO 8601)'),
  created_before: time.optional().describe('Rows created before this time (ISO 8601)'),
}

/** Describes how clients page through a list. */
export const PAGED =
  'The `Link` header contains the URL of the next page (`rel="next"`) until the list ends. Follow it as is: no ' +
  'row is skipped or repeated while new ones arrive. With filters, a page can have fewer rows than `limit`, or none.'

/** Error for job lists: the jobs' parameters and results can exceed the size limit of one response. */
export const TOO_LONG = ['list_too_long'] as const
