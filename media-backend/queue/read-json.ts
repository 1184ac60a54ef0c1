import type { z } from 'zod'

/** Parses a text of another process, which may run another version; null if it does not match the schema. */
export function readJson<T>(schema: z.ZodType<T>, text: string): T | null {
  try {
    return schema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
