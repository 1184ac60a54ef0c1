import { z } from 'zod'
import { ARCHIVED_DAYS_MIN } from '../../platform/rules/archived-days.ts'

const requests = z.int().min(1).max(1_000_000_000)
const keptDays = z.int().min(2).max(3650)
const unpaidMinutes = z.int().min(1).max(1_000_000)
const openGigabytes = z.int().min(1).max(100_000)
const inFlight = z.int().min(1).max(10_000)

/** A public feature. It is on or off for everyone, or on for the named segments of callers. */
export const FeatureSwitches = z.record(
  z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  z.union([z.boolean(), z.array(z.string().max(64)).max(20)]),
)

/** All settings that administrators can change at run time, with limits and defaults. */
export const Settings = z.object({
  daily_free_credits: z
    .int()
    .min(0)
    .max(10_000)
    .default(20)
    .describe('Daily credits of a free account; 0 disables them.'),
  daily_free_unconfirmed: z
    .boolean()
    .default(true)
    .describe('Also grants the daily credits to unverified accounts.'),
  time_tariff_base_credits: z
    .int()
    .min(0)
    .max(1000)
    .default(2)
    .describe('Base price of a job, charged at submission.'),
  time_tariff_per_extra_minute_credits: z
    .int()
    .min(0)
    .max(1000)
    .default(1)
    .describe('Price of each started minute of processing after the first.'),
  time_tariff_max_credits: z
    .int()
    .min(0)
    .max(10_000)
    .default(30)
    .describe('Maximum price of a job; at least the base price.'),
  input_max_minutes_anonymous: z
    .int()
    .min(1)
    .max(1440)
    .default(10)
    .describe('Maximum input length without an account.'),
  input_max_minutes_free: z
    .int()
    .min(1)
    .max(1440)
    .default(30)
    .describe('Maximum input length of free accounts.'),
  input_max_minutes_paid: z
    .int()
    .min(1)
    .max(1440)
    .default(180)
    .describe('Maximum input length of accounts with a plan.'),
  requests_per_minute_anonymous: requests
    .default(30)
    .describe('Maximum requests per minute per client address of anonymous callers.'),
  requests_per_minute_free: requests.default(60).describe('Maximum requests per minute per free account.'),
  requests_per_minute_paid: requests
    .default(300)
    .describe('Maximum requests per minute per account with a plan, unless the plan has its own limit.'),
  requests_per_day_anonymous: requests
    .default(10_000)
    .describe('Maximum requests per day per client address of anonymous callers.'),
  requests_per_day_free: requests.default(50_000).describe('Maximum requests per day per free account.'),
  requests_per_day_paid: requests
    .default(250_000)
    .describe('Maximum requests per day per account with a plan, unless the plan has its own limit.'),
  requests_per_day_key: requests
    .default(5000)
    .describe('Maximum requests per day per API key, unless the key has its own limit.'),
  in_flight_max_anonymous: inFlight
    .default(2)
    .describe('Maximum open jobs per client address of anonymous callers.'),
  in_flight_max_free: inFlight.default(5).describe('Maximum open jobs per free account.'),
  in_flight_max_paid: inFlight
    .default(20)
    .describe('Maximum open jobs per account with a plan, unless the plan has its own limit.'),
  unpaid_minutes_per_day_anonymous: unpaidMinutes
    .default(30)
    .describe(
      'Maximum processing time of failed and canceled jobs in 24 hours, per client address of anonymous callers.',
    ),
  unpaid_minutes_per_day_free: unpaidMinutes
    .default(60)
    .describe('Maximum processing time of failed and canceled jobs in 24 hours, per free account.'),
  unpaid_minutes_per_day_paid: unpaidMinutes
    .default(600)
    .describe('Maximum processing time of failed and canceled jobs in 24 hours, per account with a plan.'),
  queue_hold_seconds: z
    .int()
    .min(0)
    .max(3600)
    .default(20)
    .describe('Time for which jobs of throttled plans are held before they enter the queue.'),
  queue_wait_max_minutes: z
    .int()
    .min(1)
    .max(1440)
    .default(10)
    .describe('Maximum time that a job waits behind jobs of higher priority.'),
  free_jobs_held: z
    .boolean()
    .default(false)
    .describe('Holds jobs of free accounts like those of throttled plans.'),
  feature_switches: FeatureSwitches.default({
    job_events: true,
    webhooks: true,
    anonymous_uploads: true,
  }).describe(
    'Public features by name: true or false for all callers, or a list of the segments for which the feature is on.',
  ),
  uploads_per_day_anonymous: z
    .int()
    .min(0)
    .max(1_000_000)
    .default(20)
    .describe('Maximum uploads per day per client address of anonymous callers.'),
  open_upload_gb_max_anonymous: openGigabytes
    .default(10)
    .describe('Maximum GB of uploads that no job uses, per client address of anonymous callers.'),
  open_upload_gb_max_free: openGigabytes
    .default(25)
    .describe('Maximum GB of uploads that no job uses, per free account.'),
  open_upload_gb_max_paid: openGigabytes
    .default(250)
    .describe('Maximum GB of uploads that no job uses, per account with a plan.'),
  link_uploads_per_hour_per_ip: requests
    .default(60)
    .describe('Maximum uploads through upload links, per hour and client address.'),
  sign_parts_per_minute_per_ip: requests
    .default(600)
    .describe('Maximum signed upload parts, per minute and client address.'),
  misses_per_minute_per_ip: requests
    .default(60)
    .describe('Maximum requests for unknown files and unsubscribe links, per minute and client address.'),
  files_live_hours_free: z
    .int()
    .min(1)
    .max(168)
    .default(24)
    .describe('Retention of files of free accounts and anonymous callers.'),
  files_live_hours_paid: z
    .int()
    .min(1)
    .max(168)
    .default(168)
    .describe('Retention of files of accounts with a plan.'),
  registration_enabled: z
    .boolean()
    .default(true)
    .describe('False disables new accounts, with a password or an identity provider.'),
  email_verification_enabled: z.boolean().default(true).describe('False disables email verification codes.'),
  idp_auth_enabled: z.boolean().default(true).describe('False disables sign-in with the identity provider.'),
  verify_bonus_credits: z
    .int()
    .min(0)
    .max(100_000)
    .default(50)
    .describe('Credits granted when the email address is verified.'),
  registrations_per_hour_per_ip: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(5)
    .describe('Maximum new accounts per network and hour.'),
  registration_attempts_per_hour_per_ip: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(30)
    .describe('Maximum registration attempts per network and hour, including refused ones.'),
  login_failures_max: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(10)
    .describe(
      'Maximum failed sign-ins in 15 minutes, per email address and network, and for all known browsers of an account. Also the ' +
        'maximum of wrong current passwords of an account.',
    ),
  login_failures_per_account_max: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(50)
    .describe(
      'Maximum failed sign-ins in 15 minutes, per email address from all networks. Browsers that have signed ' +
        'in to the account before are counted apart.',
    ),
  login_failures_per_ip_max: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(10)
    .describe('Maximum failed sign-ins in 15 minutes, per network. Raise it if many users share a network.'),
  password_resets_per_hour_per_ip: requests
    .default(10)
    .describe('Maximum requests for a password reset link, per network and hour.'),
  maintenance: z.boolean().default(false).describe('True refuses new work; running jobs and reads continue.'),
  maintenance_message: z.string().max(500).default('').describe('Message shown during maintenance.'),
  support_email: z
    .union([z.email().max(254), z.literal('')])
    .default('')
    .describe('Support email address in the public config and in emails; empty if there is none.'),
  support_url: z
    .union([z.url({ protocol: /^https?$/ }).max(2048), z.literal('')])
    .default('')
    .describe(
      'Support page in the public config, and in emails if there is no address; empty if there is none.',
    ),
  feedback_per_hour: z
    .int()
    .min(0)
    .max(100_000)
    .default(60)
    .describe('Maximum feedback messages per hour from all senders.'),
  analytics_enabled: z.boolean().default(true).describe('False discards web events.'),
  request_logs_kept_days: keptDays.default(30).describe('Retention of request logs.'),
  web_events_kept_days: keptDays
    .default(90)
    .describe('Retention of web events; daily totals are kept longer.'),
  usage_events_kept_days: keptDays
    .default(400)
    .describe('Retention of usage events; daily totals are kept longer.'),
  job_moves_kept_days: keptDays.default(90).describe('Retention of job state transitions.'),
  jobs_archived_after_days: z
    .int()
    .min(ARCHIVED_DAYS_MIN)
    .max(3650)
    .default(30)
    .describe('Time after its end at which a job moves to the archive, if the deployment has one.'),
  webhook_deliveries_kept_days: keptDays
    .default(30)
    .describe('Retention of webhook deliveries and their attempts.'),
  payments_live: z.boolean().default(true).describe('False stops all sales.'),
  payment_providers_closed: z
    .array(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/))
    .max(20)
    .default([])
    .describe('Names of payment providers that accept no new orders. Open orders can still be paid.'),
  tax_included: z.boolean().default(false).describe('True if public prices include tax.'),
  bundle_pack_discount_pct: z
    .int()
    .min(0)
    .max(90)
    .default(10)
    .describe('Discount on the pack of a bundle, in percent; 0 disables it.'),
  packs_require_subscription: z
    .boolean()
    .default(false)
    .describe('Sells packs only to accounts with a running plan.'),
  popular_window_days: z
    .int()
    .min(1)
    .max(365)
    .default(30)
    .describe('Period whose paid orders determine the popular item.'),
  recurring_enabled: z
    .boolean()
    .default(true)
    .describe('Offers automatic renewal. False also ends all existing mandates.'),
  renewal_grace_days: z
    .int()
    .min(0)
    .max(60)
    .default(7)
    .describe('Grace period with access after a failed renewal.'),
  subscriptions_renewal_notice_days_annual: z
    .int()
    .min(1)
    .max(60)
    .default(30)
    .describe('Time between the renewal notice and the renewal of a term of twelve months or more.'),
  subscriptions_renewal_notice_days_short: z
    .int()
    .min(1)
    .max(28)
    .default(7)
    .describe('Time between the renewal notice and the renewal of a shorter term.'),
  refunds_enabled: z
    .boolean()
    .default(true)
    .describe('False refuses refund requests. The statutory withdrawal stays possible.'),
  withdrawal_days: z
    .int()
    .min(14)
    .max(365)
    .default(14)
    .describe('Period of the statutory right of withdrawal. The law requires at least 14 days.'),
  refund_policy_days: z
    .int()
    .min(0)
    .max(365)
    .default(30)
    .describe('Refund period of our own policy for unused credits; at least withdrawal_days.'),
})
export type Settings = z.infer<typeof Settings>

function isValid(name: string, value: unknown): boolean {
  return (
    Object.hasOwn(Settings.shape, name) && Settings.shape[name as keyof Settings].safeParse(value).success
  )
}

/**
 * Merges changed values over the defaults. An invalid value is ignored so that one bad row does not stop the
 * service; `listInvalid` reports it.
 */
export function settingsFrom(changed: Record<string, unknown>): Settings {
  return Settings.parse(
    Object.fromEntries(Object.entries(changed).filter(([name, value]) => isValid(name, value))),
  )
}

/** Lists settings whose stored values are invalid; unknown names are ignored. */
export function listInvalid(changed: Record<string, unknown>): string[] {
  return Object.keys(changed).filter(
    (name) => Object.hasOwn(Settings.shape, name) && !isValid(name, changed[name]),
  )
}
