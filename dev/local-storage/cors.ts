import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { ROOT } from '../system/root.ts'

/** The part of `wrangler r2 bucket cors set --file` that a bucket for browsers needs. */
const CorsFile = z.strictObject({
  rules: z.tuple([
    z.strictObject({
      allowed: z.strictObject({
        origins: z.array(z.string()),
        methods: z.array(z.string()),
        headers: z.array(z.string().lowercase()),
      }),
      exposeHeaders: z.array(z.string()),
      maxAgeSeconds: z.int(),
    }),
  ]),
})
export type CorsRule = z.infer<typeof CorsFile>['rules'][0]

/** Reads the CORS rule that the bucket also has in production (README, Deploy). */
export function readCorsRule(): CorsRule {
  return CorsFile.parse(JSON.parse(readFileSync(join(ROOT, 'storage-cors.json'), 'utf8'))).rules[0]
}

interface Preflight {
  origin: string
  method: string
  headers: readonly string[]
}

/** Returns the headers of a response to a page of the given origin; none if the rule does not allow it. */
export function corsHeaders({ allowed, exposeHeaders }: CorsRule, origin: string): Record<string, string> {
  const isOpen = allowed.origins.includes('*')
  if (!isOpen && !allowed.origins.includes(origin)) return {}
  return {
    'access-control-allow-origin': isOpen ? '*' : origin,
    'access-control-expose-headers': exposeHeaders.join(', '),
    ...(isOpen ? {} : { vary: 'origin' }),
  }
}

/** Returns the headers that allow the request of a preflight; null if the rule does not allow it. */
export function preflightHeaders(
  rule: CorsRule,
  { origin, method, headers }: Preflight,
): Record<string, string> | null {
  const { allowed, maxAgeSeconds } = rule
  const common = corsHeaders(rule, origin)
  const isAllowed =
    Object.keys(common).length > 0 &&
    allowed.methods.includes(method) &&
    headers.every((header) => allowed.headers.includes(header.toLowerCase()))
  if (!isAllowed) return null
  return {
    ...common,
    'access-control-allow-methods': allowed.methods.join(', '),
    'access-control-allow-headers': allowed.headers.join(', '),
    'access-control-max-age': String(maxAgeSeconds),
  }
}
