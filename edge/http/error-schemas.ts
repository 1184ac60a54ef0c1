import { z } from '@hono/zod-openapi'
import { ERROR_CODES, ERRORS, exampleOf } from '../platform/errors/rules/table.ts'

const request_id = z.string().openapi({
  description: 'Same as the `X-Request-Id` header; include it in support requests',
  example: '7d1f4a52-93c6-4c0e-8a3b-5f2d9e6b1c40',
})

const help = z
  .string()
  .describe('What to do about errors with this code')
  .openapi({ example: exampleOf('job_already_finished').help })

const doc_url = z
  .url()
  .describe('Page that explains the code')
  .openapi({ example: 'https://media.example.com/docs/errors#job_already_finished' })

const list = ERROR_CODES.map((code) => `- \`${code}\` (${ERRORS[code].status}): ${exampleOf(code).help}`)

const ErrorCode = z.enum(ERROR_CODES).openapi('ErrorCode', {
  description: `Stable error code. Compare this code, and show \`detail\` to people. Codes with their status and remedy:\n\n${list.join('\n')}`,
})

/**
 * `detail` is a sentence, or an object that contains the code for billing and maintenance states. Contract: Errors.
 */
export const ErrorBody = z
  .object({
    detail: z
      .union([
        z.string(),
        z.looseObject({
          code: z.string().openapi({ description: 'Code of the state', example: 'maintenance' }),
          message: z
            .string()
            .openapi({ description: 'Sentence for people', example: exampleOf('maintenance').detail }),
        }),
      ])
      .describe(
        'What is wrong, as a sentence for people in the language that `Accept-Language` selects; an object with `code` and `message` for states of billing and for maintenance',
      )
      .openapi({ example: exampleOf('job_already_finished').detail }),
    code: ErrorCode,
    param: z
      .string()
      .optional()
      .describe('The input field at fault, if there is one')
      .openapi({ example: 'params.width' }),
    needed: z.int().optional().describe('Credits that the request needs (402)').openapi({ example: 12 }),
    available: z.int().optional().describe('Credits that are available (402)').openapi({ example: 5 }),
    amount_cents: z.int().optional().openapi({
      description: 'Sum of the refunds that are due (`refund_due`); absent if they are in several currencies',
      example: 1350,
    }),
    currency: z.string().optional().openapi({ description: 'Currency of `amount_cents`', example: 'USD' }),
    refunds: z
      .array(
        z.object({
          order_id: z.string().openapi({ description: 'Id of the order', example: '7d1f4a52' }),
          item_name: z.string().openapi({ description: 'What was bought', example: 'Starter' }),
          amount_cents: z.int().openapi({ description: 'Amount that would be refunded', example: 1350 }),
          currency: z.string().openapi({ description: 'Currency of the amount', example: 'USD' }),
          reason: z.string().openapi({ description: '`withdrawal` or `policy`', example: 'withdrawal' }),
          payout_manual: z.boolean().openapi({
            description: 'True if an administrator transfers the money manually',
            example: false,
          }),
        }),
      )
      .optional()
      .describe('The refunds that are due (`refund_due`), by order'),
    choices: z
      .array(z.string())
      .optional()
      .openapi({ description: 'Values of `param` that settle the conflict', example: ['request', 'waive'] }),
    help,
    doc_url,
    request_id,
  })
  .openapi('Error')

export const ValidationErrorBody = z
  .object({
    detail: z
      .array(
        z.object({
          loc: z.array(z.union([z.string(), z.number()])).openapi({
            description:
              'Place of the fault: `body`, `query`, `path` or `header`, then the names of the field',
            example: ['body', 'email'],
          }),
          msg: z
            .string()
            .openapi({ description: 'What is wrong, for people', example: 'This field is required.' }),
          type: z
            .string()
            .openapi({ description: 'Stable code of the validation error', example: 'invalid_type' }),
        }),
      )
      .describe('Each fault of the request'),
    code: z.literal('validation_failed').describe('Always `validation_failed`'),
    param: z.string().optional().openapi({
      description: 'The first invalid field, without its place: `email`, `files.0.url`',
      example: 'email',
    }),
    help,
    doc_url,
    request_id,
  })
  .openapi('ValidationError')
