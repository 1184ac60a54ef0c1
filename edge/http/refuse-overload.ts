import type { HonoRequest, MiddlewareHandler } from 'hono'
import { decodeJwt } from 'jose'
import { takesPlace } from '../platform/admission/rules/limit.ts'
import { guessDatabase, isSpread } from '../platform/database/find-place.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { AppEnv } from './context.ts'

/** Returns what names the database of a request in its credential, which is not checked yet. */
function readHint(request: HonoRequest): string {
  const token =
    request.header('x-api-key') ?? request.header('authorization')?.replace(/^bearer +/i, '') ?? ''
  try {
    return decodeJwt(token).sub ?? token
  } catch {
    return token
  }
}

/**
 * Refuses a request with 503 at once if the isolate already has as many as it can handle in time. Health checks and
 * events of providers are always accepted, as are reports of the fleet, which are not part of the API. Contract: Limits, Overload.
 */
export const refuseOverload: MiddlewareHandler<AppEnv> = async (context, next) => {
  const { pathname, searchParams } = new URL(context.req.url)
  const waits = context.req.method === 'GET' && searchParams.has('wait')
  if (!takesPlace(pathname, waits)) return next()
  const deps = context.get('deps')
  const number = isSpread(deps) ? guessDatabase(deps, readHint(context.req)).$number : 0
  const admission = deps.admissions[number] ?? deps.admissions[0]
  const place = admission.enter()
  if (place === null) throw new ApiError('overloaded')
  try {
    await next()
  } finally {
    admission.leave(place)
  }
}
