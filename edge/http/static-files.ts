import type { Context } from 'hono'
import { pagePolicy } from '../platform/http/security-headers.ts'
import type { AppEnv } from './context.ts'

/** Prerendered documents are answers to the paths of their pages only. */
const NO_FILES = /^\/(api|internal|files|prerendered)(\/|$)/

/**
 * Serves a static file, with the policy of pages, if no endpoint matches. Returns null if there is no such file.
 */
export async function findStaticFile(context: Context<AppEnv>): Promise<Response | null> {
  const { raw, method, path } = context.req
  if ((method !== 'GET' && method !== 'HEAD') || NO_FILES.test(path)) return null
  const file = await context.get('deps').env.ASSETS.fetch(raw)
  if (file.status === 404) return null
  const response = new Response(file.body, file)
  response.headers.set('content-security-policy', pagePolicy())
  return response
}
