import { z } from 'zod'

const Address = z.strictObject({ url: z.url(), token: z.string().min(1).optional() })
export type DatabaseAddress = z.infer<typeof Address>

/** Ids have room for more (ids.ts), but a lookup without a hint asks all databases. */
const DATABASES_MAX = 64

/** Parses ACCOUNT_DATABASES: a JSON list of the databases after the first, each with `url` and `token`. */
export const AccountDatabases = z
  .string()
  .default('')
  .transform((text, context) => {
    if (text.trim() === '') return []
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue('must be a JSON list of {"url", "token"}')
      return z.NEVER
    }
  })
  .pipe(
    z
      .array(Address)
      .max(DATABASES_MAX)
      .refine(
        (list) => new Set(list.map(({ url }) => url)).size === list.length,
        'must not contain a database twice',
      ),
  )
