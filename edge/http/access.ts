import type { Context, MiddlewareHandler } from 'hono'
import type { Texts } from '../../shared/text/texts.ts'
import { withOwnerKeys } from '../accounts/anonymous-client.ts'
import { authenticate, type Credential, findKeyPlace, isKey } from '../accounts/authenticate.ts'
import { findKeyState, type KeyState } from '../accounts/queries.ts'
import { ANONYMOUS, type Caller } from '../accounts/rules/caller.ts'
import { KEY_PREFIX } from '../api-keys/key-text.ts'
import { atDatabase } from '../platform/database/find-place.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { CREDENTIAL_HELP, keyHelp } from '../platform/errors/rules/requests.ts'
import { ERRORS } from '../platform/errors/rules/table.ts'
import type { AppEnv } from './context.ts'
import { type Counting, throttle } from './throttle.ts'

/**
 * Access of an endpoint (Contract: Conventions, Access).
 * - none: no authentication
 * - session: a session token; no API key
 * - admin: a session token of an administrator
 * - either: a session token or an API key
 * - anyone: either, or an anonymous caller
 */
export type Access = 'none' | 'session' | 'admin' | 'either' | 'anyone'

const BEARER = /^bearer +(\S+)$/i

/**
 * Reads the request's credential. Where API keys are not allowed, ignores the X-Api-Key header.
 * @param instead the endpoint that API keys can use; only where they are not allowed.
 */
function readCredential(
  context: Context,
  keysAllowed: boolean,
  instead: string | undefined,
): Credential | null {
  const key = context.req.header('x-api-key')
  if (key !== undefined && keysAllowed) return { from: 'x-api-key', text: key.trim() }
  const authorization = context.req.header('authorization')
  if (authorization === undefined) return null
  const bearer = BEARER.exec(authorization)?.[1]
  if (bearer === undefined) throw missing(context, keysAllowed, instead)
  return { from: 'bearer', text: bearer }
}

function missing(context: Context, keysAllowed: boolean, instead: string | undefined): ApiError {
  if (keysAllowed) {
    const hasAuthorization = context.req.header('authorization') !== undefined
    return new ApiError(
      'missing_api_key',
      undefined,
      hasAuthorization ? { help: CREDENTIAL_HELP.no_scheme } : {},
    )
  }
  const sent = [context.req.header('x-api-key'), context.req.header('authorization')]
  const sentKey = sent.some((text) => text?.includes(KEY_PREFIX))
  return new ApiError('missing_bearer_token', undefined, sentKey ? sessionOnly(instead) : {})
}

/**
 * Explains to clients why a valid key does not work here, and what does. The contract fixes `detail`, so the reason is in
 * `help` and in the header (RFC 6750, 3).
 */
function sessionOnly(instead: string | undefined) {
  const use = instead === undefined ? 'send a session token' : `use ${instead}, or send a session token`
  return {
    help: instead === undefined ? ERRORS.missing_bearer_token.help : keyHelp(instead),
    headers: {
      'WWW-Authenticate': `Bearer error="invalid_token", error_description="this endpoint does not accept API keys; ${use}"`,
    },
  }
}

async function findCaller(context: Context<AppEnv>, access: Access, instead?: string): Promise<Caller> {
  const keysAllowed = access === 'either' || access === 'anyone'
  const credential = readCredential(context, keysAllowed, instead)
  if (credential === null) {
    if (access === 'anyone') return withOwnerKeys(context.get('deps'), ANONYMOUS, context.req.raw.headers)
    throw missing(context, keysAllowed, instead)
  }
  if (isKey(credential) && !keysAllowed)
    throw new ApiError('invalid_bearer_token', undefined, sessionOnly(instead))
  const authenticated = await authenticate(context.get('deps'), credential)
  if (authenticated === null) {
    if (!isKey(credential)) throw new ApiError('invalid_bearer_token')
    throw new ApiError('invalid_api_key', undefined, { help: await explainKey(context, credential) })
  }
  const { caller, db } = authenticated
  const deps = atDatabase(context.get('deps'), db)
  context.set('deps', deps)
  return withOwnerKeys(deps, caller, context.req.raw.headers)
}

const KEY_HELP: Record<KeyState, Texts | undefined> = {
  live: undefined,
  paused: CREDENTIAL_HELP.paused,
  revoked: CREDENTIAL_HELP.revoked,
}

/** Returns the remedy for an existing key. Only someone who has the key can request it. */
async function explainKey(context: Context<AppEnv>, { text }: Credential): Promise<Texts | undefined> {
  if (BEARER.test(text)) return CREDENTIAL_HELP.scheme_in_key
  if (!text.startsWith(KEY_PREFIX)) return CREDENTIAL_HELP.not_a_key
  const place = await findKeyPlace(context.get('deps'), text, ({ db }, hash) => findKeyState(db, hash))
  return place === null ? undefined : KEY_HELP[place.found]
}

/** Reloads the caller during a long response; returns null once access is revoked. */
export function findCallerNow(context: Context<AppEnv>, access: Access): Promise<Caller | null> {
  return findCaller(context, access).catch(() => null)
}

/** @param instead the endpoint that API keys can use, such as GET /api/v1/me/ping. */
export function requireAccess(
  access: Access,
  counting: Counting = {},
  instead?: string,
): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const caller = await findCaller(context, access, instead).catch(async (error) => {
      // Limits guesses at keys per client address.
      if (error instanceof ApiError) await throttle(context, ANONYMOUS)
      throw error
    })
    // Set before any refusal, so the request log can identify the caller.
    context.set('caller', caller)
    await throttle(context, caller, counting)
    if (access === 'admin' && !caller.account?.is_admin) throw new ApiError('administrator_required')
    await next()
  }
}
