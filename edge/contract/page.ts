import { z } from '@hono/zod-openapi'

/** How many of a list's rows to leave out. Its type is said: what coerces null to 0 is no list's to take. */
export const offset = z.coerce
  .number()
  .int()
  .min(0)
  .max(1_000_000_000)
  .default(0)
  .openapi({ type: 'integer' })
