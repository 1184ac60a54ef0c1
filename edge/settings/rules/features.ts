import type { Caller } from '../../accounts/rules/caller.ts'
import type { Settings } from './settings.ts'

/** The groups of callers that a feature may be switched on for. */
export function segmentsOf(caller: Caller): string[] {
  const { account } = caller
  if (account === null) return ['anonymous']
  return [
    'account',
    account.email_verified ? 'verified' : 'unverified',
    ...(account.is_admin ? ['admin'] : []),
  ]
}

/** The switches as they are for a caller of these segments. */
export function resolveFeatures(
  switches: Settings['feature_switches'],
  segments: readonly string[],
): Record<string, boolean> {
  return Object.fromEntries(
    Object.entries(switches).map(([name, state]) => [
      name,
      typeof state === 'boolean' ? state : state.some((segment) => segments.includes(segment)),
    ]),
  )
}
