import { z } from '@hono/zod-openapi'

const count = z.int().min(0)
const minutes = z.int().min(1)

export const PublicConfig = z
  .object({
    maintenance: z.boolean().openapi({
      description: 'True during maintenance: submissions are refused with 503',
      example: false,
    }),
    maintenance_message: z
      .string()
      .openapi({ description: 'What to show during maintenance', example: 'Back at 10:00 UTC' }),
    support: z
      .object({
        email: z
          .string()
          .nullable()
          .openapi({ description: 'Email address of the support', example: 'help@example.com' }),
        url: z
          .string()
          .nullable()
          .openapi({ description: 'Web page of the support', example: 'https://example.com/help' }),
      })
      .describe('How to reach the support; null where there is none'),
    captcha_site_key: z
      .string()
      .nullable()
      .openapi({ description: 'Public key of the captcha; null if none is required', example: null }),
    registration_enabled: z
      .boolean()
      .openapi({ description: 'True if new accounts can be created', example: true }),
    email_verification_enabled: z
      .boolean()
      .openapi({ description: 'True if email addresses can be verified by a code', example: true }),
    password_reset_enabled: z
      .boolean()
      .openapi({ description: 'True if a password can be reset by email', example: true }),
    verify_bonus_credits: count.openapi({
      description: 'Credits granted when the email address is verified',
      example: 50,
    }),
    idp_auth_enabled: z
      .boolean()
      .openapi({ description: 'True if an identity provider can be used to sign in', example: true }),
    feedback_enabled: z.boolean().openapi({ description: 'True if feedback is accepted', example: true }),
    max_upload_gb: z.number().openapi({
      description: 'Largest file that can be uploaded, in gigabytes (1024 ** 3 bytes)',
      example: 5,
    }),
    anonymous: z
      .object({
        uploads_enabled: z
          .boolean()
          .openapi({ description: 'True if files can be uploaded without an account', example: true }),
        uploads_per_day: count.openapi({ description: 'Uploads per day and address', example: 20 }),
        input_max_minutes: minutes.openapi({ description: 'Longest input in minutes', example: 10 }),
        in_flight_max: count.openapi({ description: 'Jobs that can be open at once', example: 2 }),
        requests_per_minute: count.openapi({ description: 'Requests per minute', example: 30 }),
        requests_per_day: count.openapi({ description: 'Requests per day', example: 2000 }),
        files_live_hours: count.openapi({
          description: 'Hours until uploads and results are deleted',
          example: 24,
        }),
      })
      .describe('Limits for callers without an account'),
    billing: z
      .object({
        time_tariff_enabled: z.boolean().openapi({
          description: 'True if jobs are charged by processing time; false if only the base is charged',
          example: true,
        }),
        time_tariff_base_credits: count.openapi({
          description: 'Credits for up to one minute of processing',
          example: 2,
        }),
        time_tariff_per_extra_minute_credits: count.openapi({
          description: 'Credits for each further started minute',
          example: 1,
        }),
        time_tariff_max_credits: count.openapi({
          description: 'Largest price of a job in credits',
          example: 30,
        }),
        input_max_minutes: z
          .object({
            anonymous: minutes.openapi({ description: 'Without an account', example: 10 }),
            free: minutes.openapi({ description: 'For free accounts', example: 30 }),
            paid: minutes.openapi({ description: 'For accounts on a plan', example: 180 }),
          })
          .describe('Longest input in minutes, by tier'),
        bundle_pack_discount_pct: count.openapi({
          description: 'Discount on a pack that is bought with a plan, in percent; 0 if there is none',
          example: 10,
        }),
        packs_require_subscription: z
          .boolean()
          .openapi({ description: 'True if packs are sold only to accounts on a plan', example: false }),
        recurring_available: z
          .boolean()
          .openapi({ description: 'True if plans can renew automatically', example: true }),
      })
      .describe('Tariff, length limits and what is on sale'),
  })
  .openapi('PublicConfig')
