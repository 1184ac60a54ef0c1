import { z } from 'zod'
import type { Env } from '../env.ts'
import type { Bot } from './bots.ts'
import type { VideoNote } from './rules/updates.ts'

/** Call timeout, which is short enough that attempts never overlap. */
export const CALL_MS_MAX = 50_000

/** Why a call failed. `later` can be retried; `blocked` and `refused` are permanent. */
export class MessengerError extends Error {
  override name = 'MessengerError'
  readonly reason: 'later' | 'blocked' | 'refused'

  constructor(reason: MessengerError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

export interface Messenger {
  /** The first bot is the default. */
  bots: readonly Bot[]
  /** Sends plain text without link previews. */
  sendMessage(bot: Bot, chat_id: number, text: string): Promise<void>
  /** Shows "is sending a video message" in the chat for a few seconds. */
  showSending(bot: Bot, chat_id: number): Promise<void>
  /** Streams an MP4 of `size_bytes` as a round video. */
  sendVideoNote(
    bot: Bot,
    chat_id: number,
    video: VideoNote & { content: ReadableStream<Uint8Array>; size_bytes: number },
  ): Promise<void>
}

const Answer = z.looseObject({
  ok: z.boolean(),
  error_code: z.int().optional(),
  description: z.string().optional(),
})

/**
 * Creates a client for Telegram's Bot API.
 * @returns null if no bot is configured.
 */
export function openMessenger(env: Pick<Env, 'MESSENGER_BOTS' | 'TELEGRAM_API_URL'>): Messenger | null {
  const { MESSENGER_BOTS: bots, TELEGRAM_API_URL: api } = env
  if (bots.length === 0) return null

  async function call({ id, token }: Bot, method: string, init: RequestInit): Promise<void> {
    // The URL contains the token, so errors that include it must not leave this function.
    const request = fetch(`${api}/bot${token}/${method}`, {
      ...init,
      method: 'POST',
      signal: AbortSignal.timeout(CALL_MS_MAX),
    })
    const response = await request.catch((error) => {
      throw new MessengerError('later', `${method} of bot ${id}: ${String(error).replaceAll(token, '…')}`)
    })
    const { data } = Answer.safeParse(await response.json().catch(() => null))
    if (data?.ok) return
    const message = `${method} of bot ${id}: ${response.status} ${data?.description ?? ''}`
    throw new MessengerError(reasonOf(response.status), message)
  }

  const callJson = (bot: Bot, method: string, content: object) =>
    call(bot, method, { headers: { 'content-type': 'application/json' }, body: JSON.stringify(content) })

  return {
    bots,
    sendMessage: (bot, chat_id, text) =>
      callJson(bot, 'sendMessage', { chat_id, text, link_preview_options: { is_disabled: true } }),
    showSending: (bot, chat_id) => callJson(bot, 'sendChatAction', { chat_id, action: 'upload_video_note' }),
    async sendVideoNote(bot, chat_id, { content, size_bytes, diameter, duration_seconds }) {
      const fields = { chat_id, length: diameter, duration: duration_seconds }
      const form = streamForm(fields, { content, size_bytes })
      const sent = call(bot, 'sendVideoNote', { headers: form.headers, body: form.body })
      // If the file stream fails, the call is aborted as well, and the error of the call is reported.
      await Promise.all([sent, form.writing.catch(() => sent)])
    },
  }
}

/**
 * Maps a status to a reason. 401 and 404 mean that the token is invalid. The operator can fix it, so a retry may
 * succeed.
 */
function reasonOf(status: number): MessengerError['reason'] {
  if (status === 403) return 'blocked'
  return status === 400 || status === 413 ? 'refused' : 'later'
}

/** Streams a multipart form with one file and a known content length. */
function streamForm(
  fields: Record<string, number>,
  file: { content: ReadableStream<Uint8Array>; size_bytes: number },
) {
  const boundary = `form-${crypto.randomUUID()}`
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const disposition = 'content-disposition: form-data; name="video_note"; filename="round.mp4"'
  const head = encode(`${parts.join('')}--${boundary}\r\n${disposition}\r\ncontent-type: video/mp4\r\n\r\n`)
  const tail = encode(`\r\n--${boundary}--\r\n`)
  const { readable, writable } = new FixedLengthStream(head.length + file.size_bytes + tail.length)
  const write = async () => {
    const writer = writable.getWriter()
    try {
      await writer.write(head)
      for await (const chunk of file.content) await writer.write(chunk)
      await writer.write(tail)
      await writer.close()
    } catch (error) {
      await writer.abort(error).catch(() => undefined)
      throw error
    }
  }
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return { headers, body: readable, writing: write() }
}

const encode = (text: string) => new TextEncoder().encode(text)
