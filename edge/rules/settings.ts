import { z } from 'zod'

const requests = z.int().min(1).max(1_000_000_000)
const inFlight = z.int().min(1).max(10_000)

/** A public feature: on or off for all, or on for the segments of callers named. */
export const FeatureSwitches = z.record(
  z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  z.union([z.boolean(), z.array(z.string().max(64)).max(20)]),
)

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
  requests_per_minute_anonymous: requests.default(30),
  requests_per_minute_free: requests.default(60),
  requests_per_minute_paid: requests.default(300),
  requests_per_day_anonymous: requests.default(10_000),
  requests_per_day_free: requests.default(50_000),
  requests_per_day_paid: requests.default(250_000),
  requests_per_day_key: requests.default(5000),
  in_flight_max_anonymous: inFlight.default(2),
  in_flight_max_free: inFlight.default(5),
  in_flight_max_paid: inFlight.default(20),
  queue_hold_seconds: z.int().min(0).max(3600).default(20),
  queue_wait_max_minutes: z.int().min(1).max(1440).default(10),
  free_jobs_held: z.boolean().default(false),
  feature_switches: FeatureSwitches.default({
    job_events: true,
    webhooks: true,
    anonymous_uploads: true,
  }),
  uploads_per_day_anonymous: z.int().min(0).max(1_000_000).default(20),
  files_live_hours_free: z.int().min(1).max(168).default(24),
  files_live_hours_paid: z.int().min(1).max(168).default(168),
  registration_enabled: z.boolean().default(true),
  email_verification_enabled: z.boolean().default(true),
  idp_auth_enabled: z.boolean().default(true),
  verify_bonus_credits: z.int().min(0).max(100_000).default(50),
  registrations_per_hour_per_ip: z.int().min(1).max(1_000_000).default(5),
  login_failures_max: z.int().min(1).max(1_000_000).default(10),
  payments_live: z.boolean().default(true).describe('False: nothing is offered for sale.'),
  tax_included: z.boolean().default(false).describe('What the public price list tells of its prices.'),
  bundle_pack_discount_pct: z.int().min(0).max(90).default(10).describe('0: none is given.'),
  packs_require_subscription: z.boolean().default(false).describe('Packs are sold beside a plan alone.'),
  popular_window_days: z
    .int()
    .min(1)
    .max(365)
    .default(30)
    .describe('Whose paid orders make an item the popular one.'),
  recurring_enabled: z.boolean().default(true).describe('Terms may be sold that renew themselves.'),
  renewal_grace_days: z.int().min(0).max(60).default(7).describe('Access after a renewal that failed.'),
  subscriptions_renewal_notice_days_annual: z
    .int()
    .min(1)
    .max(60)
    .default(30)
    .describe('How long before a renewal of twelve months or more its notice is sent.'),
  subscriptions_renewal_notice_days_short: z
    .int()
    .min(1)
    .max(28)
    .default(7)
    .describe('How long before a renewal of a shorter term its notice is sent.'),
  refunds_enabled: z.boolean().default(true).describe('False: refunds are refused.'),
  withdrawal_days: z.int().min(0).max(365).default(14).describe('The statutory right of withdrawal.'),
  refund_policy_days: z
    .int()
    .min(0)
    .max(365)
    .default(30)
    .describe('Our own policy for unused credits; never less than withdrawal_days.'),
})
export type Settings = z.infer<typeof Settings>

/** The settings in force: the defaults, with what was changed laid over them. */
export function settingsFrom(changed: Record<string, unknown>): Settings {
  return Settings.parse(changed)
}
