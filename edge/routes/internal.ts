import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import { Callback } from '../../shared/protocol/callback.ts'
import { isSigned } from '../../shared/protocol/signature.ts'
import type { AppEnv } from '../http/context.ts'
import { ApiError } from '../services/api-error.ts'
import { LateReport, takeReport } from '../services/jobs/report.ts'

/** The fleet's reports. Not part of the public interface; only a valid signature opens it. */
export const internalRoutes = new Hono<AppEnv>().post('/internal/callbacks', async (context) => {
  const id = context.req.header('webhook-id')
  // What carries no signature is not even read.
  if (id === undefined || context.req.header('webhook-signature') === undefined) {
    throw new ApiError(401, 'invalid signature')
  }
  const body = await context.req.text()
  const deps = context.get('deps')
  if (!isSigned(deps.env.FLEET_KEYS, context.req.header(), body)) {
    throw new ApiError(401, 'invalid signature')
  }
  const callback = readCallback(body)
  const digest = createHash('sha256').update(body).digest('hex')
  try {
    return context.json(await takeReport(deps, { id, digest, callback }))
  } catch (error) {
    if (!(error instanceof LateReport)) throw error
    return context.json({ continue: false, detail: error.detail }, 409)
  }
})

function readCallback(body: string): Callback {
  try {
    return Callback.parse(JSON.parse(body))
  } catch {
    throw new ApiError(422, 'not a report')
  }
}
