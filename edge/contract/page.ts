import { z } from '@hono/zod-openapi'

const OFFSET_MAX = 1_000_000_000

/** How many of a list's rows to leave out. It is described by hand: derived, it would be said to take null. */
export const offset = z.coerce
  .number()
  .int()
  .min(0)
  .max(OFFSET_MAX)
  .default(0)
  .openapi({ type: 'integer', minimum: 0, maximum: OFFSET_MAX, default: 0 })
