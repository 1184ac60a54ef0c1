import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { numericId } from '../platform/http/schemas/whole-number.ts'

const botId = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

export const DeliverRequest = z
  .strictObject({
    job_id: z.string().min(1).max(64).describe('A finished video/circle job'),
    bot_id: botId.optional().describe('Defaults to the first bot of this server'),
  })
  .openapi('DeliverRequest')

export const DeliverResponse = z
  .object({
    link: z.string().describe('Opens a chat with the bot, which sends the video once'),
    bot_username: z.string(),
    expires_at: Timestamp,
  })
  .openapi('DeliverResponse')

export const BotPath = z.object({
  bot_id: numericId,
})

export const BotUpdate = z.looseObject({ update_id: z.int() }).openapi('BotUpdate')

export const UpdateReceived = z.object({ ok: z.literal(true) }).openapi('UpdateReceived')
