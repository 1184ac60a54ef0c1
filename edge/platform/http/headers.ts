import type { Context } from 'hono'

/**
 * Adds headers to an answer that is there. Not by `context.header`, which makes a new Response for each one:
 * that is a good part of what a short request costs. What came from elsewhere can't be written to, and is
 * copied once.
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
