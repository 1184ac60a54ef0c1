import type { Change } from './ledger.ts'

/** The live grants of an account that were loaded: all, or the first in the order of spending. */
export interface GrantPage {
  /** There may be more. */
  partial: boolean
  /** The credits with these grants, brought up to the present. */
  settled: Change
}

/**
 * Checks whether these grants suffice to decide by. All are needed where every loaded one has lapsed, since more may
 * have; where a grant landed just now, which may be spent after others that were not loaded; and where they hold
 * less than is to be spent.
 */
export function isPageEnough({ partial, settled }: GrantPage, spends_max: number): boolean {
  if (!partial) return true
  if (settled.entries.some((entry) => entry.grant !== null)) return false
  const { grants, balance } = settled.credits
  const held = grants.reduce((sum, { left }) => sum + left, 0)
  return grants.length > 0 && held >= Math.min(spends_max, balance)
}
