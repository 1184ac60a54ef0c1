import type { TornEvent } from '../../../edge/databases/rules/torn-events.ts'
import { findTornEvents } from '../../../edge/databases/torn-events.ts'
import type { Database } from '../../../edge/platform/database/client.ts'

const FAULTS: Record<TornEvent['fault'], string> = {
  not_granted: 'its credits were granted, but no ledger has them. Grant them again',
  not_applied: 'it was applied to a term, but no database knows that. Apply it again',
  not_settled: 'it is open, but its credits were granted. Settle it',
}

/** Finds unmatched events whose effect in another database was lost, or outlived them. */
export async function checkEvents(databases: readonly Database[]): Promise<string[]> {
  const torn = await findTornEvents(databases)
  return torn.map(
    ({ database, id, fault }) =>
      `unmatched event ${id} of database ${database}: ${FAULTS[fault]}: npm run ops -- repair-databases`,
  )
}
