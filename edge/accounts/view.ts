import { isoTime } from '../platform/iso-time.ts'
import { type CallerAccount, planInForce } from './rules/caller.ts'

/** Returns the account as its owner sees it. */
export function viewAccount({ plan, created_at, ...shown }: CallerAccount, now: number) {
  const current = planInForce({ plan }, now)
  return {
    ...shown,
    tier: current === null ? ('free' as const) : ('paid' as const),
    plan_name: current?.name ?? null,
    created_at: isoTime(created_at),
  }
}
