import { z } from '@hono/zod-openapi'
import { captcha_token, newPassword, typedEmail } from '../accounts/schemas.ts'

export const ResetRequest = z
  .strictObject({ email: typedEmail.openapi({ format: 'email' }), captcha_token })
  .openapi('PasswordResetRequest')

export const ResetRequested = z
  .object({ link_lives_seconds: z.int().describe('How long a link can be used') })
  .openapi('PasswordResetRequested')

export const PasswordReset = z
  .strictObject({
    token: z.string().min(1).max(200).describe('From the fragment of the emailed link'),
    new_password: newPassword,
  })
  .openapi('PasswordReset')
