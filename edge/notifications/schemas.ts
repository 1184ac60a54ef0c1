import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { plainText } from '../platform/http/schemas/plain-text.ts'
import { JOB_NOTIFICATIONS } from './rules/preferences.ts'

const job_notifications = z
  .enum(JOB_NOTIFICATIONS)
  .describe(
    'Emails about jobs submitted from a session that are done or failed: `daily` sends one summary a day, at ' +
      '07:00 UTC, when something has finished; `each` sends one some minutes after a job or a batch; `off` none',
  )
const product_news = z.boolean().describe('Emails with news about the product')

export const Notifications = z
  .object({
    email_verified: z.boolean().describe('False: no such emails are sent until the address is confirmed'),
    job_notifications,
    product_news,
  })
  .openapi('Notifications')

export const NotificationsChange = z
  .object({ job_notifications: job_notifications.optional(), product_news: product_news.optional() })
  .openapi('NotificationsChange')

const Message = z.object({
  subject: plainText(150),
  text: z.string().trim().min(1).max(10_000).describe('Plain text; an empty line begins a paragraph'),
})

export const ProductNewsRequest = z
  .object({
    en: Message.describe('For everybody whose language has no message of its own'),
    uk: Message.optional(),
    ru: Message.optional(),
  })
  .openapi('ProductNewsRequest')

export const ProductNewsStarted = z
  .object({ id: z.string(), created_at: Timestamp })
  .openapi('ProductNewsStarted')
