import type { z } from '@hono/zod-openapi'

interface Answering {
  answer: { status: number }
  localized?: boolean
  alternatives?: object
}

/**
 * Adds the request id to every response, rate limit headers to those of one client, `Link` to the pages of a list, the
 * language to errors and other texts, and `Retry-After` to temporary refusals and to reads that could not wait.
 */
export function documentHeaders<Described extends object>(
  answering: Answering,
  query: z.ZodObject | undefined,
  responses: Record<string, Described>,
) {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const names = Number(status) < 400 ? ofSuccess(answering, query, status) : ofError(status)
      const headers = Object.fromEntries(
        ['X-Request-Id', ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
      )
      return [status, { ...response, headers }]
    }),
  )
}

const OF_ONE_CLIENT = ['RateLimit', 'RateLimit-Policy']

/**
 * A cursor pages a list (answer-page.ts), a read that cannot wait says when to repeat it (edge/jobs/wait.ts), and
 * caches share the responses of an endpoint that answers 304 (answer-cached.ts).
 */
function ofSuccess(
  { answer, localized, alternatives = {} }: Answering,
  query: z.ZodObject | undefined,
  status: string,
): string[] {
  const { cursor, wait } = status === String(answer.status) ? (query?.shape ?? {}) : {}
  return [
    ...('304' in alternatives ? ['ETag'] : OF_ONE_CLIENT),
    ...(cursor === undefined ? [] : ['Link']),
    ...(wait === undefined ? [] : ['Retry-After']),
    ...(localized ? ['Content-Language'] : []),
  ]
}

function ofError(status: string): string[] {
  return [
    ...OF_ONE_CLIENT,
    'Content-Language',
    ...(status === '401' ? ['WWW-Authenticate'] : []),
    ...(status === '405' ? ['Allow'] : []),
    ...(status === '429' || status === '503' ? ['Retry-After'] : []),
  ]
}
