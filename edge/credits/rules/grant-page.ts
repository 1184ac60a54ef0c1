import type { Change } from './ledger.ts'

/** An account's loaded live grants: all of them, or the first ones in burn order. */
export interface GrantPage {
  /** True if more grants may exist. */
  partial: boolean
  /** The credits after settling with these grants. */
  settled: Change
}

/**
 * Checks whether the loaded grants are enough to decide. All grants are needed if every loaded one has expired, if
 * one was just granted (it may rank behind grants that are not loaded), or if the loaded grants hold less than the
 * amount to be spent.
 */
export function isPageEnough({ partial, settled }: GrantPage, spends_max: number): boolean {
  if (!partial) return true
  if (settled.entries.some((entry) => entry.grant !== null)) return false
  const { grants, balance } = settled.credits
  const held = grants.reduce((sum, { left }) => sum + left, 0)
  return grants.length > 0 && held >= Math.min(spends_max, balance)
}
