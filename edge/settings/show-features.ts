import type { Caller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { loadSettings } from './queries.ts'
import { resolveFeatures, segmentsOf } from './rules/features.ts'

/** Returns a caller's feature flags. They are informational and grant no permissions. */
export async function showFeatures(deps: Deps, caller: Caller) {
  const { feature_switches } = await loadSettings(deps.db, deps.clock.now())
  const segments = segmentsOf(caller)
  return { features: resolveFeatures(feature_switches, segments), segments }
}
