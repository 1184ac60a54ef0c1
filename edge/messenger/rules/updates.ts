import { z } from 'zod'
import type { RoundVideoFault } from '../../platform/errors/rules/services.ts'
import type { Refusal } from '../../platform/errors/rules/table.ts'

/**
 * Limits of Telegram's Bot API: video notes are square, at most 640 pixels wide and one minute long. Bots can send
 * up to 50 MB.
 */
const DIAMETER_MAX = 640
/** Allows for containers that declare slightly more than a minute. */
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

export interface VideoNoteRefusal {
  refused: Refusal<'not_deliverable'>
}

function refuse(reason: RoundVideoFault): VideoNoteRefusal {
  return { refused: { code: 'not_deliverable', facts: { reason } } }
}

/** Returns the video note for a finished file, or why the messenger does not accept the file. */
export function readVideoNote(
  body: Record<string, unknown>,
  file: { content_type: string; size_bytes: number },
): VideoNote | VideoNoteRefusal {
  const { success, data } = Measured.safeParse(body)
  if (!success || file.content_type !== 'video/mp4') return refuse('not_round')
  const { width, height, duration_seconds } = data
  if (width !== height || width > DIAMETER_MAX) return refuse('wrong_size')
  if (duration_seconds >= SECONDS_MAX) return refuse('too_long')
  if (file.size_bytes > BYTES_MAX) return refuse('too_large')
  return { diameter: width, duration_seconds: Math.max(1, Math.min(60, Math.round(duration_seconds))) }
}

/** A message that a user sent to a bot. */
export interface BotMessage {
  update_id: number
  chat_id: number
  /** Parameter of /start; null for any other text. */
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

/**
 * Reads an update.
 * @returns null for groups, channels, edits, and other irrelevant updates.
 */
export function readUpdate(update: unknown): BotMessage | null {
  const { data } = Update.safeParse(update)
  if (data === undefined) return null
  const { chat, from, text = '' } = data.message
  return {
    update_id: data.update_id,
    chat_id: chat.id,
    start: START.exec(text)?.[1] ?? null,
    language: from?.language_code?.slice(0, 35).toWellFormed() ?? null,
  }
}
