import { z } from '@hono/zod-openapi'
import { ERROR_CODES, ERRORS, exampleSentence } from '../platform/errors/rules/table.ts'

const request_id = z.string().describe('Also in the X-Request-Id header; quote it to support')

const list = ERROR_CODES.map((code) => `- \`${code}\` (${ERRORS[code].status}): ${ERRORS[code].help}`)

const ErrorCode = z.enum(ERROR_CODES).openapi('ErrorCode', {
  description: `The stable name of an error: compare this, and show \`detail\`. With its status and what to do:\n\n${list.join('\n')}`,
})

/** Contract: Errors. `detail` is a sentence, or an object with the code for states of billing and maintenance. */
export const ErrorBody = z
  .object({
    detail: z
      .union([z.string(), z.looseObject({ code: z.string(), message: z.string() })])
      .openapi({ example: exampleSentence('job_already_finished') }),
    code: ErrorCode,
    request_id,
  })
  .openapi('Error')

export const ValidationErrorBody = z
  .object({
    detail: z.array(
      z.object({
        loc: z.array(z.union([z.string(), z.number()])),
        msg: z.string(),
        type: z.string().describe('The stable name of the fault'),
      }),
    ),
    code: z.literal('validation_failed'),
    request_id,
  })
  .openapi('ValidationError')
