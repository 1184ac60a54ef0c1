import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { numericId } from '../platform/http/schemas/whole-number.ts'

const botId = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

export const DeliverRequest = z
  .strictObject({
    job_id: z.string().min(1).max(64).openapi({
      description: 'A finished video/circle job',
      example: '7d1f4a52-93c6-4c0e-8a3b-5f2d9e6b1c40',
    }),
    bot_id: botId.optional().openapi({
      description: 'Bot that sends the video. Default: the first bot of this server',
      example: 700100200,
    }),
  })
  .openapi('DeliverRequest')

export const DeliverResponse = z
  .object({
    link: z.string().openapi({
      description: 'Opens a chat with the bot, which sends the video once',
      example: 'https://t.me/media_bot?start=d_8Kx2',
    }),
    bot_username: z.string().openapi({ description: 'Name of the bot', example: 'media_bot' }),
    expires_at: Timestamp.describe('After this time, the link no longer works'),
  })
  .openapi('DeliverResponse')

export const BotPath = z.object({
  bot_id: numericId.describe('Id of the bot'),
})

export const BotUpdate = z
  .looseObject({ update_id: z.int().openapi({ description: 'Id of the update', example: 90_210 }) })
  .openapi('BotUpdate')

export const UpdateReceived = z
  .object({ ok: z.literal(true).describe('Always true: the delivery continues in the background') })
  .openapi('UpdateReceived')
