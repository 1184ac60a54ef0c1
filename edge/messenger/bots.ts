import { z } from 'zod'

/** A messenger bot, as configured by the operator. */
const Bot = z.object({
  id: z.int().positive(),
  username: z.string().regex(/^[A-Za-z]\w{3,31}$/, 'must be the username of the bot, without the @'),
  token: z.string().regex(/^\d+:[\w-]+$/, 'must be a bot token such as "123:ABC…"'),
  /** The secret_token registered with setWebhook, which allows only these characters. */
  secret: z.string().regex(/^[\w-]{16,256}$/, 'must be 16 to 256 letters, digits, "_" and "-"'),
})
export type Bot = z.infer<typeof Bot>

/**
 * Parses MESSENGER_BOTS: either a JSON list of bots, or comma-separated `id:username:token:secret` entries. A token
 * starts with the bot id and a colon; an entry may omit this prefix.
 */
export const MessengerBots = z
  .string()
  .default('')
  .transform((text, context) => {
    const found = text.trim().startsWith('[')
      ? parseJson(text)
      : text
          .split(/[\s,]+/)
          .filter(Boolean)
          .map(readEntry)
    if (found !== undefined) return found
    context.addIssue('must be a JSON list, or id:username:token:secret')
    return z.NEVER
  })
  .pipe(
    z
      .array(Bot)
      .refine(
        (bots) => new Set(bots.map(({ id }) => id)).size === bots.length,
        'must not contain a bot twice',
      ),
  )

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readEntry(entry: string) {
  const [id = '', username, ...rest] = entry.split(':')
  const secret = rest.pop()
  const token = rest.length > 1 ? rest.join(':') : `${id}:${rest[0]}`
  return { id: Number(id), username, token, secret }
}
