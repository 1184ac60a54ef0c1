import type { Context, MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import { ANONYMOUS } from '../accounts/rules/caller.ts'
import { isAllowedBy, isAllowedByAny } from '../origins/allowed.ts'
import { addHeaders } from '../platform/http/headers.ts'
import { findLinkOwner } from '../upload-links/find-link-owner.ts'
import type { AppEnv } from './context.ts'
import {
  linkTokenOf,
  PREFLIGHT_SECONDS,
  REQUEST_HEADERS,
  RESPONSE_HEADERS,
  type Sharing,
  sharingOf,
} from './rules/cross-origin.ts'
import { throttle } from './throttle.ts'

const EXPOSED = { 'Access-Control-Expose-Headers': RESPONSE_HEADERS.join(', ') }

/** Higher than the limit of requests: a page sends one for each URL, and browsers reuse the answer. */
const PREFLIGHT_POLICY = { name: 'minute', limit: 600, window_ms: 60_000, counter: 'preflight' }

/** Answers preflights. They carry no credential, so any account that lists the origin decides. */
const answerPreflight = cors({
  origin: async (origin, context: Context<AppEnv>) => {
    if (sharingOf(context.req.path) === 'any') return '*'
    return (await isAllowedByAny(context.get('deps'), origin)) ? origin : null
  },
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowHeaders: REQUEST_HEADERS,
  maxAge: PREFLIGHT_SECONDS,
})

/**
 * Lets pages of other origins read responses. Credentials are tokens in headers, so cookies are never allowed.
 * Contract: Conventions, Cross-origin requests.
 */
export const shareAcrossOrigins: MiddlewareHandler<AppEnv> = async (context, next) => {
  const sharing = sharingOf(context.req.path)
  if (sharing === 'none') return next()
  if (isPreflight(context)) {
    await throttle(context, ANONYMOUS, { guard: () => PREFLIGHT_POLICY })
    return answerPreflight(context, next)
  }
  await next()
  if (sharing === 'any') return addHeaders(context, { 'Access-Control-Allow-Origin': '*', ...EXPOSED })
  addHeaders(context, { Vary: withOrigin(context.res.headers.get('vary')) })
  const origin = crossOriginOf(context)
  if (origin === null || !(await mayRead(context, sharing, origin))) return
  addHeaders(context, { 'Access-Control-Allow-Origin': origin, ...EXPOSED })
}

function isPreflight({ req }: Context): boolean {
  return req.method === 'OPTIONS' && req.raw.headers.has('access-control-request-method')
}

function withOrigin(vary: string | null): string {
  return vary === null ? 'Origin' : `${vary}, Origin`
}

/** Returns the origin of the page that sent the request; null for our own pages and for other clients. */
function crossOriginOf(context: Context<AppEnv>): string | null {
  const origin = context.req.raw.headers.get('origin')
  return origin === null || origin === new URL(context.req.url).origin ? null : origin
}

/**
 * Checks whether the origin is on the list of the account whose data the response contains. A refusal before the
 * account is known, such as a 401, reveals only data that the page sent, so pages that any account lists can read it.
 * If the database is down, no page can read the response.
 */
async function mayRead(context: Context<AppEnv>, sharing: Sharing, origin: string): Promise<boolean> {
  const deps = context.get('deps')
  const check = async () => {
    const accountId = await findOwner(context, sharing)
    if (accountId === 'nobody') return false
    if (accountId !== undefined) return isAllowedBy(deps, accountId, origin)
    return context.res.status >= 400 && isAllowedByAny(deps, origin)
  }
  return check().catch(() => false)
}

/**
 * Returns the account that a response belongs to; undefined if the request was refused before the account was known.
 */
async function findOwner(context: Context<AppEnv>, sharing: Sharing): Promise<number | 'nobody' | undefined> {
  if (sharing === 'link') return findLinkOwner(context.get('deps'), linkTokenOf(context.req.path))
  const caller: AppEnv['Variables']['caller'] | undefined = context.get('caller')
  return caller?.kind === 'anonymous' ? 'nobody' : caller?.account.id
}
