import type { MiddlewareHandler } from 'hono'
import { requestClass } from '../platform/admission/rules/limit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { AppEnv } from './context.ts'

/**
 * Refuses a request with 503 at once if the isolate already has as many as it can handle in time. Health checks,
 * reports of the fleet and events of providers are always accepted. Contract: Limits, Overload.
 */
export const admit: MiddlewareHandler<AppEnv> = async (context, next) => {
  const { pathname, searchParams } = new URL(context.req.url)
  if (requestClass(pathname, searchParams.has('wait')) !== 'counted') return next()
  const { admission } = context.get('deps')
  const place = admission.enter()
  if (place === null) throw new ApiError('overloaded')
  try {
    await next()
  } finally {
    admission.leave(place)
  }
}
