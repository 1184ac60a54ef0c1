import type { MiddlewareHandler } from 'hono'
import { requireNoMaintenance } from '../settings/require-no-maintenance.ts'
import type { AppEnv } from './context.ts'

/** Refuses endpoints that submit new work during maintenance, before their input is read. */
export const refuseInMaintenance: MiddlewareHandler<AppEnv> = async (context, next) => {
  await requireNoMaintenance(context.get('deps'))
  await next()
}
