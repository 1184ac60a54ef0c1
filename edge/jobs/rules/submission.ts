import type { Tier } from '../../accounts/rules/tier.ts'
import type { Settings } from '../../settings/rules/settings.ts'
import type { Tariff } from './tariff.ts'

export function tariffOf(settings: Settings): Tariff {
  return {
    base_credits: settings.time_tariff_base_credits,
    per_extra_minute_credits: settings.time_tariff_per_extra_minute_credits,
    max_credits: settings.time_tariff_max_credits,
  }
}

/** Returns the maximum input length for a tier, in seconds. Contract: Limits, Input length ceiling. */
export function inputSecondsMax(settings: Settings, tier: Tier): number {
  const minutes = {
    anonymous: settings.input_max_minutes_anonymous,
    free: settings.input_max_minutes_free,
    paid: settings.input_max_minutes_paid,
  }
  return minutes[tier] * 60
}

const HOUR_MS = 60 * 60 * 1000

/** Returns how long a tier's uploads are retained. */
export function uploadLifeMs(settings: Settings, tier: Tier): number {
  const hours = tier === 'paid' ? settings.files_live_hours_paid : settings.files_live_hours_free
  return hours * HOUR_MS
}

/** Returns how long a tier's results are retained; some operations have a lower limit. */
export function resultLifeMs(settings: Settings, tier: Tier, hours_max = Number.POSITIVE_INFINITY): number {
  return Math.min(uploadLifeMs(settings, tier), hours_max * HOUR_MS)
}
