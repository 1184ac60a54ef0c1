import { Hono } from 'hono'
import type { AppEnv } from '../http/context.ts'
import { grantStorageAccess } from './grant-storage-access.ts'
import { receiveReport } from './receive-report.ts'
import { LateReport } from './report.ts'

/** Receives reports and requests from the fleet. Not part of the public API; requires a valid signature. */
export const internalRoutes = new Hono<AppEnv>()
  .post('/internal/storage-access', async (context) =>
    context.json(await grantStorageAccess(context.get('deps'), context.req.raw)),
  )
  .post('/internal/callbacks', async (context) => {
    try {
      return context.json(await receiveReport(context.get('deps'), context.req.raw))
    } catch (error) {
      if (!(error instanceof LateReport)) throw error
      const { code, message } = error
      return context.json({ continue: false, detail: message, code }, error.status as 409)
    }
  })
