import type { MiddlewareHandler } from 'hono'
import { requireNoMaintenance } from '../settings/require-no-maintenance.ts'
import type { AppEnv } from './context.ts'

/** During maintenance, refuses requests to endpoints that submit new work, before reading their input. */
export const refuseInMaintenance: MiddlewareHandler<AppEnv> = async (context, next) => {
  await requireNoMaintenance(context.get('deps'))
  await next()
}
