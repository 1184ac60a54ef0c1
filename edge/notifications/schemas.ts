import { z } from '@hono/zod-openapi'
import { Timestamp } from '../accounts/schemas.ts'
import { idOf } from '../platform/http/schemas/common-fields.ts'
import { plainText } from '../platform/http/schemas/plain-text.ts'
import { JOB_NOTIFICATIONS } from './rules/preferences.ts'

const job_notifications = z
  .enum(JOB_NOTIFICATIONS)
  .describe(
    'Emails about finished jobs submitted from a session: `daily` sends one summary at ' +
      '07:00 UTC on days when jobs finished; `each` sends one a few minutes after a job or batch; `off` sends none',
  )
const product_news = z
  .boolean()
  .openapi({ description: 'True to receive product news by email', example: false })

export const Notifications = z
  .object({
    email_verified: z
      .boolean()
      .openapi({ description: 'False: nothing is sent until the address is confirmed', example: true }),
    job_notifications,
    product_news,
  })
  .openapi('Notifications')

export const NotificationsChange = z
  .strictObject({ job_notifications: job_notifications.optional(), product_news: product_news.optional() })
  .openapi('NotificationsChange')

const Message = z.strictObject({
  subject: plainText(150).openapi({ description: 'Subject of the email', example: 'New operations' }),
  text: z.string().trim().min(1).max(10_000).openapi({
    description: 'Plain text; an empty line starts a paragraph',
    example: 'You can now trim videos.',
  }),
})

export const ProductNewsRequest = z
  .strictObject({
    en: Message.describe('Used for every language that has no message of its own'),
    uk: Message.optional().describe('Ukrainian message'),
    ru: Message.optional().describe('Russian message'),
  })
  .openapi('ProductNewsRequest', {
    example: {
      en: { subject: 'New operations', text: 'You can now trim videos.' },
      uk: { subject: 'Нові операції', text: 'Тепер можна обрізати відео.' },
    },
  })

export const ProductNewsStarted = z
  .object({ id: idOf('mailing'), created_at: Timestamp.describe('Time at which the mailing started') })
  .openapi('ProductNewsStarted')
