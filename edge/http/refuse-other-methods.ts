import type { MiddlewareHandler } from 'hono'
import { ANONYMOUS } from '../accounts/rules/caller.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import type { AppEnv } from './context.ts'
import { throttle } from './throttle.ts'

/** Methods of endpoints, in the order of the `Allow` header. */
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/**
 * Refuses another method at the path of an endpoint. The router would match the path of an endpoint with a parameter
 * instead: GET /api/v1/jobs/api would look for a job with the id "api". Contract: Errors, Statuses.
 */
export function refuseOtherMethods(
  routes: readonly { method: string; path: string }[],
): MiddlewareHandler<AppEnv> {
  const methods = Map.groupBy(routes, ({ path }) => path)
  return async (context, next) => {
    const { path, method } = context.req
    const endpoints = methods.get(path) ?? []
    const allowed = METHODS.filter((each) =>
      endpoints.some((endpoint) => endpoint.method.toUpperCase() === each),
    )
    const asked = method === 'HEAD' ? 'GET' : method
    if (allowed.length === 0 || allowed.includes(asked)) return next()
    await throttle(context, ANONYMOUS)
    throw methodNotAllowed(method, allowed)
  }
}

/** @param allowed methods of endpoints. An endpoint for GET also answers HEAD. */
export function methodNotAllowed(method: string, allowed: string[]): ApiError {
  const listed = allowed.flatMap((each) => (each === 'GET' ? ['GET', 'HEAD'] : [each]))
  return new ApiError('method_not_allowed', { method, allowed }, { headers: { Allow: listed.join(', ') } })
}
