import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AppEnv } from '../../../edge/http/context.ts'

interface Documented {
  method: string
  path: string
  responses: Record<string, { content?: Record<string, { examples?: object }> }>
}

/** Codes that no endpoint documents, because the service itself is at fault. */
const OF_NO_ENDPOINT = ['internal_error', 'settings_invalid']

/**
 * Expects that the OpenAPI document lists the code of an error response for its endpoint. Every test of the edge calls
 * this function, so an endpoint cannot return an error that it does not document. Contract: Errors.
 * @throws Error if the code is not documented
 */
export async function expectDocumented(
  app: OpenAPIHono<AppEnv>,
  { method, url }: Request,
  response: Response,
): Promise<void> {
  if (response.status < 400 || !response.headers.get('content-type')?.includes('json')) return
  const endpoint = findEndpoint(app, method.toLowerCase(), new URL(url).pathname)
  if (endpoint === undefined) return
  const { code } = (await response.clone().json()) as { code?: string }
  if (code === undefined || OF_NO_ENDPOINT.includes(code)) return
  const { examples = {} } = endpoint.responses[response.status]?.content?.['application/json'] ?? {}
  if (!Object.hasOwn(examples, code))
    throw new Error(`${method} ${endpoint.path} does not document the error ${response.status} ${code}`)
}

function findEndpoint(app: OpenAPIHono<AppEnv>, method: string, pathname: string): Documented | undefined {
  const endpoints = app.openAPIRegistry.definitions.flatMap((definition) =>
    definition.type === 'route' ? [definition.route as unknown as Documented] : [],
  )
  const candidates = endpoints.filter((each) => each.method === method)
  return (
    candidates.find(({ path }) => path === pathname) ??
    candidates.find(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname))
  )
}
