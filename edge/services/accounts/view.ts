import type { CallerAccount } from '../../rules/caller.ts'
import { isoTime } from '../views.ts'

/** The account record, as its owner sees it. */
export function viewAccount(account: CallerAccount) {
  const { created_at, ...shown } = account
  return {
    ...shown,
    tier: 'free' as const,
    plan_name: null,
    created_at: isoTime(created_at),
  }
}
