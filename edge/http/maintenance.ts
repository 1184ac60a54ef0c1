import type { MiddlewareHandler } from 'hono'
import { requireNoMaintenance } from '../settings/require-no-maintenance.ts'
import type { AppEnv } from './context.ts'

/** For endpoints that take something new, before their input is read; reads go on. */
export const refuseInMaintenance: MiddlewareHandler<AppEnv> = async (context, next) => {
  await requireNoMaintenance(context.get('deps'))
  await next()
}
