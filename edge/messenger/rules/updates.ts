import { z } from 'zod'

/** Telegram's Bot API: video notes are square, of at most 640 pixels and a minute; a bot sends at most 50 MB. */
const DIAMETER_MAX = 640
/** Containers tell a minute as a little more. */
const SECONDS_MAX = 61
const BYTES_MAX = 50 * 1000 * 1000

export interface VideoNote {
  diameter: number
  duration_seconds: number
}

const Measured = z.object({
  width: z.int().positive(),
  height: z.int().positive(),
  duration_seconds: z.number().positive(),
})

/** A finished file as the messenger takes it; or why it does not, as a sentence. */
export function readVideoNote(
  body: Record<string, unknown>,
  file: { content_type: string; size_bytes: number },
): VideoNote | { refused: string } {
  const { success, data } = Measured.safeParse(body)
  if (!success || file.content_type !== 'video/mp4') return { refused: 'the result is no round video' }
  const { width, height, duration_seconds } = data
  if (width !== height || width > DIAMETER_MAX) {
    return {
      refused: `the result is ${width}x${height}; a round video is square, of at most ${DIAMETER_MAX}`,
    }
  }
  if (duration_seconds >= SECONDS_MAX) return { refused: 'the result is longer than a minute' }
  if (file.size_bytes > BYTES_MAX)
    return { refused: 'the result is larger than the 50 MB that bots may send' }
  return { diameter: width, duration_seconds: Math.max(1, Math.min(60, Math.round(duration_seconds))) }
}

/** What a person wrote to a bot. */
export interface BotMessage {
  update_id: number
  chat_id: number
  /** What follows /start; null for everything else. */
  start: string | null
  language: string | null
}

const id = z.int().refine(Number.isSafeInteger)

const Update = z.object({
  update_id: id,
  message: z.object({
    chat: z.object({ id, type: z.literal('private') }),
    from: z.object({ language_code: z.string().optional() }).optional(),
    text: z.string().optional(),
  }),
})

const START = /^\/start(?:@\w+)?\s+([\w-]{1,64})\s*$/

/** @returns null for what nobody is to be answered for: groups, channels, edits and news of other kinds. */
export function readUpdate(update: unknown): BotMessage | null {
  const { data } = Update.safeParse(update)
  if (data === undefined) return null
  const { chat, from, text = '' } = data.message
  return {
    update_id: data.update_id,
    chat_id: chat.id,
    start: START.exec(text)?.[1] ?? null,
    language: from?.language_code?.slice(0, 35) ?? null,
  }
}
