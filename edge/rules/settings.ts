import { z } from 'zod'

/** Every setting that administrators change at run time: its bounds and its default, in one place. */
export const Settings = z.object({
  daily_free_credits: z.int().min(0).max(10_000).default(20),
  daily_free_unconfirmed: z.boolean().default(true),
  time_tariff_base_credits: z.int().min(0).max(1000).default(2),
  time_tariff_per_extra_minute_credits: z.int().min(0).max(1000).default(1),
  time_tariff_max_credits: z.int().min(0).max(10_000).default(30),
  input_max_minutes_anonymous: z.int().min(1).max(1440).default(10),
  input_max_minutes_free: z.int().min(1).max(1440).default(30),
  input_max_minutes_paid: z.int().min(1).max(1440).default(180),
  files_live_hours_free: z.int().min(1).max(168).default(24),
  files_live_hours_paid: z.int().min(1).max(168).default(168),
})
export type Settings = z.infer<typeof Settings>

/** The settings in force: the defaults, with what was changed laid over them. */
export function settingsFrom(changed: Record<string, unknown>): Settings {
  return Settings.parse(changed)
}
