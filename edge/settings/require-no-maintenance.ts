import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { loadSettings } from './queries.ts'

/** Throws 503 with the code `maintenance` while maintenance is on. Contract: Errors, Maintenance. */
export async function requireNoMaintenance({ db, clock }: Deps): Promise<void> {
  const { maintenance, maintenance_message } = await loadSettings(db, clock.now())
  if (maintenance) throw new ApiError('maintenance', { message: maintenance_message || null })
}
