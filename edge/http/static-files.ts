import type { Context } from 'hono'
import type { AppEnv } from './context.ts'

const NO_FILES = /^\/(api|internal|files)(\/|$)/

/** Serves a static file if no endpoint matches; returns null if there is no such file. */
export async function findStaticFile(context: Context<AppEnv>): Promise<Response | null> {
  const { raw, method, path } = context.req
  if ((method !== 'GET' && method !== 'HEAD') || NO_FILES.test(path)) return null
  const response = await context.get('deps').env.ASSETS.fetch(raw)
  return response.status === 404 ? null : response
}
