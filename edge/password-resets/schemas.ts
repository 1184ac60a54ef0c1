import { z } from '@hono/zod-openapi'
import { captcha_token, newPassword, typedEmail } from '../accounts/schemas.ts'
import { LINK_LIVES_MS } from './rules/reset-link.ts'

export const ResetRequest = z
  .strictObject({ email: typedEmail.openapi({ format: 'email' }), captcha_token })
  .openapi('PasswordResetRequest')

export const ResetRequested = z
  .object({
    link_lives_seconds: z
      .int()
      .openapi({ description: 'How long a link can be used, in seconds', example: LINK_LIVES_MS / 1000 }),
  })
  .openapi('PasswordResetRequested')

export const PasswordReset = z
  .strictObject({
    token: z
      .string()
      .min(1)
      .max(200)
      .openapi({ description: 'From the fragment of the emailed link', example: '5f2d9e6b1c407d1f4a52' }),
    new_password: newPassword,
    delete_api_keys: z.boolean().default(false).openapi({
      description: 'Also deletes all API keys, for example if someone else had access. By default they stay',
      example: false,
    }),
  })
  .openapi('PasswordReset')
