import type { Context } from 'hono'

/**
 * Adds headers to an existing response. `context.header` would create a new Response for each header, which is a
 * large part of the cost of a short request. Immutable responses are copied once.
 */
export function addHeaders(context: Context, headers: Readonly<Record<string, string>>): void {
  try {
    setAll(context.res.headers, headers)
  } catch {
    context.res = new Response(context.res.body, context.res)
    setAll(context.res.headers, headers)
  }
}

function setAll(target: Headers, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) target.set(name, value)
}
