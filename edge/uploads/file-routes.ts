import { Hono } from 'hono'
import type { AppEnv } from '../http/context.ts'
import { keyOf } from './rules/addresses.ts'
import { serveFile, unknownFile } from './serve.ts'

/** Serves uploads and results. Reading needs no credential, because the URLs cannot be guessed. */
export const fileRoutes = new Hono<AppEnv>().get('/files/*', (context) => {
  const { origin, pathname } = new URL(context.req.url)
  const key = keyOf(origin, origin + pathname)
  if (key === null) throw unknownFile()
  return serveFile(context.get('deps'), key, context.req.raw.headers)
})
