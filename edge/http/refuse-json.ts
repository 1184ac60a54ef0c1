import type { MiddlewareHandler } from 'hono'
import { ApiError } from '../platform/errors/api-error.ts'
import { faultAt } from '../platform/errors/rules/field-faults.ts'
import type { AppEnv } from './context.ts'

const JSON_TYPE = /^application\/(\S+\+)?json\b/i

/**
 * Refuses JSON where a form is required.
 * @param endpoint the one that accepts JSON.
 */
export function refuseJson(endpoint: string): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    if (!JSON_TYPE.test(context.req.header('content-type') ?? '')) return next()
    const fault = faultAt(['body'], 'json_not_form', { endpoint })
    throw new ApiError('validation_failed', { faults: [fault] })
  }
}
