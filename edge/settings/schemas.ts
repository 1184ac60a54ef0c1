import { z } from '@hono/zod-openapi'

const count = z.int().min(0)
const minutes = z.int().min(1)

export const PublicConfig = z
  .object({
    maintenance: z.boolean().describe('True during maintenance: submissions are refused with 503'),
    maintenance_message: z.string(),
    support: z.object({ email: z.string().nullable(), url: z.string().nullable() }),
    captcha_site_key: z.string().nullable().describe('null if no captcha is required'),
    registration_enabled: z.boolean(),
    email_verification_enabled: z.boolean(),
    verify_bonus_credits: count.describe('Granted when the email address is verified'),
    idp_auth_enabled: z.boolean(),
    feedback_enabled: z.boolean(),
    max_upload_gb: z.number(),
    anonymous: z
      .object({
        uploads_enabled: z.boolean(),
        uploads_per_day: count,
        input_max_minutes: minutes,
        in_flight_max: count,
        requests_per_minute: count,
        requests_per_day: count,
        files_live_hours: count,
      })
      .describe('Limits for callers without an account'),
    billing: z.object({
      time_tariff_enabled: z.boolean(),
      time_tariff_base_credits: count,
      time_tariff_per_extra_minute_credits: count,
      time_tariff_max_credits: count,
      input_max_minutes: z.object({ anonymous: minutes, free: minutes, paid: minutes }),
      bundle_pack_discount_pct: count.describe('0 if there is no discount'),
      packs_require_subscription: z.boolean(),
      recurring_available: z.boolean(),
    }),
  })
  .openapi('PublicConfig')
