import { authorizedWork } from '../accounts/authorized-work.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { findBillingDetails, saveDetailsStatement } from './queries.ts'
import type { BillingDetails } from './rules/content.ts'
import { formatVatId } from './vat-id.ts'

export function showBillingDetails({ db }: Deps, { account }: SessionCaller): Promise<BillingDetails> {
  return findBillingDetails(db, account.id)
}

/** Replaces the details that later receipts contain. Issued ones stay as they are. Throws 401. */
export function setBillingDetails(
  deps: Deps,
  caller: SessionCaller,
  typed: BillingDetails,
): Promise<BillingDetails> {
  const details = { ...typed, vat_id: typed.vat_id && formatVatId(typed.vat_id) }
  return authorizedWork(deps, caller, {
    load: async () => undefined,
    decide: () => ({
      statements: [saveDetailsStatement(deps.db, caller.account.id, details)],
      answer: details,
    }),
  })
}
