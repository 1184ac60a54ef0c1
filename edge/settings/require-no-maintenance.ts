import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { loadSettings } from './queries.ts'
import { maintenanceMessage } from './rules/public-config.ts'

/** Throws 503 with the code `maintenance` while maintenance is on. Contract: Errors, Maintenance. */
export async function requireNoMaintenance({ db, clock }: Deps): Promise<void> {
  const message = maintenanceMessage(await loadSettings(db, clock.now()))
  if (message !== null) throw new ApiError('maintenance', { message })
}
