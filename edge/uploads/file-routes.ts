import { Hono } from 'hono'
import type { AppEnv } from '../http/context.ts'
import { answerFile, readFileRequest } from './file-response.ts'
import { findFile } from './find-file.ts'
import { keyOf } from './rules/addresses.ts'

/** Serves uploads and results. Reading needs no credential, because the URLs cannot be guessed. */
export const fileRoutes = new Hono<AppEnv>().get('/files/*', async (context) => {
  const { origin, pathname } = new URL(context.req.url)
  const wanted = readFileRequest(context.req.raw.headers)
  const found = await findFile(context.get('deps'), keyOf(origin, origin + pathname), wanted)
  return answerFile(found, 'inline', wanted)
})
