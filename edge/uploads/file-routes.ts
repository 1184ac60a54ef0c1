import { Hono } from 'hono'
import type { AppEnv } from '../http/context.ts'
import { throttleMisses } from '../http/throttle-misses.ts'
import { answerFile, readFileRequest } from './file-response.ts'
import { findFile, unknownFile } from './find-file.ts'
import { keyOf } from './rules/addresses.ts'

/**
 * Serves uploads and results. Reading needs no credential, because the URLs cannot be guessed. An address that requests
 * many unknown files still gets those that exist.
 */
export const fileRoutes = new Hono<AppEnv>().get('/files/*', async (context) => {
  const { origin, pathname } = new URL(context.req.url)
  const wanted = readFileRequest(context.req.raw.headers)
  const key = keyOf(origin, origin + pathname)
  if (key === null) throw unknownFile()
  const deps = context.get('deps')
  const found = await throttleMisses(context, {
    find: () => findFile(deps, key, wanted),
    mayExist: () => deps.storage.exists(key),
  })
  if (found === null) throw unknownFile()
  return answerFile(found, 'inline', wanted)
})
