import type { Change } from './ledger.ts'

/** The loaded live grants of an account: all of them, or the first ones in burn order. */
export interface GrantPage {
  /** Whether more grants may exist. */
  partial: boolean
  /** The settled credits with these grants. */
  settled: Change
}

/**
 * Checks whether the loaded grants suffice for a decision. All grants are needed if every loaded one has
 * expired, if one was just granted (it may rank behind grants not loaded), or if they hold less than is to be
 * spent.
 */
export function isPageEnough({ partial, settled }: GrantPage, spends_max: number): boolean {
  if (!partial) return true
  if (settled.entries.some((entry) => entry.grant !== null)) return false
  const { grants, balance } = settled.credits
  const held = grants.reduce((sum, { left }) => sum + left, 0)
  return grants.length > 0 && held >= Math.min(spends_max, balance)
}
