import type { MiddlewareHandler } from 'hono'
import { takesPlace } from '../platform/admission/rules/limit.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { AppEnv } from './context.ts'

/**
 * Refuses a request with 503 at once if the isolate already has as many as it can handle in time. Health checks and
 * events of providers are always accepted, as are reports of the fleet, which are not part of the API. Contract: Limits, Overload.
 */
export const refuseOverload: MiddlewareHandler<AppEnv> = async (context, next) => {
  const { pathname, searchParams } = new URL(context.req.url)
  const waits = context.req.method === 'GET' && searchParams.has('wait')
  if (!takesPlace(pathname, waits)) return next()
  const { admission } = context.get('deps')
  const place = admission.enter()
  if (place === null) throw new ApiError('overloaded')
  try {
    await next()
  } finally {
    admission.leave(place)
  }
}
