import type { Context, MiddlewareHandler } from 'hono'
import type { Caller } from '../rules/caller.ts'
import { authenticate, type Credential, isKey } from '../services/accounts/authenticate.ts'
import { ApiError } from '../services/api-error.ts'
import type { AppEnv } from './context.ts'

/**
 * Who may call an endpoint (specification: Endpoints, the column Access).
 * - none: nobody is asked who they are
 * - session: a session token; an API key does not work
 * - admin: a session token of an administrator
 * - either: a session token or an API key
 * - anyone: either, or an anonymous caller
 */
export type Access = 'none' | 'session' | 'admin' | 'either' | 'anyone'

export const ANONYMOUS: Caller = { kind: 'anonymous', account: null }

const BEARER = /^bearer +(\S+)$/i

function readCredential(context: Context): Credential | null {
  const key = context.req.header('x-api-key')
  if (key !== undefined) return { from: 'x-api-key', text: key.trim() }
  const bearer = BEARER.exec(context.req.header('authorization') ?? '')?.[1]
  return bearer === undefined ? null : { from: 'bearer', text: bearer }
}

async function findCaller(context: Context<AppEnv>, access: Access): Promise<Caller> {
  const credential = readCredential(context)
  const keysAllowed = access === 'either' || access === 'anyone'
  if (credential === null) {
    if (access === 'anyone') return ANONYMOUS
    throw new ApiError(401, keysAllowed ? 'missing API key' : 'missing bearer token')
  }
  if (isKey(credential) && !keysAllowed) {
    throw new ApiError(401, credential.from === 'bearer' ? 'invalid bearer token' : 'missing bearer token')
  }
  const caller = await authenticate(context.get('deps'), credential)
  if (caller === null) throw new ApiError(401, isKey(credential) ? 'invalid API key' : 'invalid bearer token')
  return caller
}

export function requireAccess(access: Access): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const caller = await findCaller(context, access)
    if (access === 'admin' && !caller.account?.is_admin) throw new ApiError(403, 'administrators only')
    context.set('caller', caller)
    await next()
  }
}
