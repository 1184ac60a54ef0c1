import type { Caller } from '../../accounts/rules/caller.ts'
import type { Settings } from './settings.ts'

/** Returns the caller segments for which a feature can be enabled. */
export function segmentsOf(caller: Caller): string[] {
  const { account } = caller
  if (account === null) return ['anonymous']
  return [
    'account',
    account.email_verified ? 'verified' : 'unverified',
    ...(account.is_admin ? ['admin'] : []),
  ]
}

/** Resolves the feature switches for a caller's segments. */
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
