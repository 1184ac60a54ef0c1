import type { z } from 'zod'

const TIMEOUT_MS = 10_000
const DETAIL_CHARACTERS = 2000

/** The provider answered, but not what was hoped for. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused'
  readonly status: number
  readonly detail: string

  constructor(what: string, status: number, detail: string) {
    super(`${what} was answered ${status}: ${detail}`)
    this.status = status
    this.detail = detail
  }
}

/**
 * One question to a provider, within ten seconds.
 * Throws ProviderRefused for an answer that is no success, a ZodError for one of another shape.
 */
export async function ask<Answer>(
  url: string,
  schema: z.ZodType<Answer>,
  options: { headers: Record<string, string>; body?: unknown },
): Promise<Answer> {
  const method = options.body === undefined ? 'GET' : 'POST'
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
