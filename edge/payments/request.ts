import type { z } from 'zod'

const TIMEOUT_MS = 10_000
const DETAIL_CHARACTERS = 2000

/** A response from a provider with an error status. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused'
  readonly status: number
  readonly detail: string

  constructor(what: string, status: number, detail: string) {
    super(`${what} returned ${status}: ${detail}`)
    this.status = status
    this.detail = detail
  }
}

/** Statuses caused by credentials, timing or rate limits rather than by the request. */
const PASSING = [401, 403, 408, 429]

/** Checks whether a provider refuses a request for good, so a retry would get the same response. */
export function refuses(error: unknown): error is ProviderRefused {
  return error instanceof ProviderRefused && error.status < 500 && !PASSING.includes(error.status)
}

/**
 * Sends a request to a provider with a ten-second timeout. Throws ProviderRefused for an error response and
 * ZodError for an unexpected body.
 */
export async function ask<Answer>(
  url: string,
  schema: z.ZodType<Answer>,
  options: { headers: Record<string, string>; body?: unknown; method?: 'PATCH' },
): Promise<Answer> {
  const method = options.method ?? (options.body === undefined ? 'GET' : 'POST')
  const response = await fetch(url, {
    method,
    headers: {
      accept: 'application/json',
      ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  const text = await response.text()
  if (!response.ok) {
    const { host, pathname } = new URL(url)
    throw new ProviderRefused(
      `${method} ${host}${pathname}`,
      response.status,
      text.slice(0, DETAIL_CHARACTERS),
    )
  }
  return schema.parse(JSON.parse(text))
}
