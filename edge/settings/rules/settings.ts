import { z } from 'zod'

const requests = z.int().min(1).max(1_000_000_000)
const keptDays = z.int().min(2).max(3650)
const unpaidMinutes = z.int().min(1).max(1_000_000)
const openGigabytes = z.int().min(1).max(100_000)
const inFlight = z.int().min(1).max(10_000)

/** A public feature: on or off for all, or on for the named segments of callers. */
export const FeatureSwitches = z.record(
  z.string().regex(/^[a-z][a-z0-9_]{0,63}$/),
  z.union([z.boolean(), z.array(z.string().max(64)).max(20)]),
)

/** All settings that administrators change at run time, with bounds and defaults. */
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
  requests_per_minute_anonymous: requests.default(30).describe('Per client address.'),
  requests_per_minute_free: requests.default(60).describe('Per free account.'),
  requests_per_minute_paid: requests.default(300).describe('Default for accounts with a plan.'),
  requests_per_day_anonymous: requests.default(10_000).describe('Per client address.'),
  requests_per_day_free: requests.default(50_000).describe('Per free account.'),
  requests_per_day_paid: requests.default(250_000).describe('Default for accounts with a plan.'),
  requests_per_day_key: requests.default(5000).describe('Default per API key.'),
  in_flight_max_anonymous: inFlight.default(2).describe('Maximum open jobs per client address.'),
  in_flight_max_free: inFlight.default(5).describe('Maximum open jobs per free account.'),
  in_flight_max_paid: inFlight.default(20).describe('Default for accounts with a plan.'),
  unpaid_minutes_per_day_anonymous: unpaidMinutes
    .default(30)
    .describe('Processing time of failed and canceled jobs in 24 hours, for each address.'),
  unpaid_minutes_per_day_free: unpaidMinutes
    .default(60)
    .describe('Processing time of failed and canceled jobs in 24 hours, for each free account.'),
  unpaid_minutes_per_day_paid: unpaidMinutes
    .default(600)
    .describe('Processing time of failed and canceled jobs in 24 hours, for each account with a plan.'),
  queue_hold_seconds: z
    .int()
    .min(0)
    .max(3600)
    .default(20)
    .describe('Queue delay of jobs of throttled plans.'),
  queue_wait_max_minutes: z
    .int()
    .min(1)
    .max(1440)
    .default(10)
    .describe('Maximum wait behind jobs of higher priority.'),
  free_jobs_held: z
    .boolean()
    .default(false)
    .describe('Applies the queue delay of throttled plans to free accounts.'),
  feature_switches: FeatureSwitches.default({
    job_events: true,
    webhooks: true,
    anonymous_uploads: true,
  }).describe('Public features: on or off for all, or on for the segments of callers named.'),
  uploads_per_day_anonymous: z.int().min(0).max(1_000_000).default(20).describe('Per client address.'),
  open_upload_gb_max_anonymous: openGigabytes
    .default(10)
    .describe('Maximum GB of uploads not yet used by a job, per client address of anonymous callers.'),
  open_upload_gb_max_free: openGigabytes
    .default(25)
    .describe('Maximum GB of uploads not yet used by a job, per free account.'),
  open_upload_gb_max_paid: openGigabytes
    .default(250)
    .describe('Maximum GB of uploads not yet used by a job, per account with a plan.'),
  link_uploads_per_hour_per_ip: requests
    .default(60)
    .describe('Maximum uploads through upload links per client address.'),
  sign_parts_per_minute_per_ip: requests
    .default(600)
    .describe('Maximum signed upload parts per client address.'),
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
    .describe('False disables new accounts, by password or identity provider.'),
  email_verification_enabled: z.boolean().default(true).describe('False disables verification codes.'),
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
      'Failed sign-ins in 15 minutes, for each e-mail address from each network and for each known browser; ' +
        'also wrong current passwords of an account.',
    ),
  login_failures_per_account_max: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(50)
    .describe(
      'Failed sign-ins in 15 minutes, for each e-mail address from all networks together. Browsers that have ' +
        'signed in to the account before are not counted and not refused.',
    ),
  login_failures_per_ip_max: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(10)
    .describe('Failed sign-ins in 15 minutes, for each network. More where many people share one.'),
  maintenance: z.boolean().default(false).describe('Refuses new work; running jobs and reads continue.'),
  maintenance_message: z.string().max(500).default('').describe('Message shown during maintenance.'),
  support_email: z
    .union([z.email().max(254), z.literal('')])
    .default('')
    .describe("Where people find help; '' where there is none."),
  support_url: z
    .union([z.url({ protocol: /^https?$/ }).max(2048), z.literal('')])
    .default('')
    .describe("Where people find help; '' where there is none."),
  feedback_per_hour: z.int().min(0).max(100_000).default(60).describe('Messages of all senders together.'),
  analytics_enabled: z.boolean().default(true).describe('False discards web events.'),
  request_logs_kept_days: keptDays.default(30).describe('Retention of request logs.'),
  web_events_kept_days: keptDays
    .default(90)
    .describe('Retention of web events; daily totals are kept longer.'),
  usage_events_kept_days: keptDays
    .default(400)
    .describe('Retention of usage events; daily totals are kept longer.'),
  job_moves_kept_days: keptDays.default(90).describe('Retention of job state transitions.'),
  webhook_deliveries_kept_days: keptDays.default(30).describe('Retention of webhook deliveries.'),
  payments_live: z.boolean().default(true).describe('False: nothing is offered for sale.'),
  payment_providers_closed: z
    .array(z.string().regex(/^[a-z][a-z0-9_]{0,63}$/))
    .max(20)
    .default([])
    .describe('Providers, by name, that accept no new orders. Open orders can still be paid.'),
  tax_included: z.boolean().default(false).describe('Whether public prices include tax.'),
  bundle_pack_discount_pct: z.int().min(0).max(90).default(10).describe('0: none is given.'),
  packs_require_subscription: z
    .boolean()
    .default(false)
    .describe('Packs are sold only to accounts with a running plan.'),
  popular_window_days: z
    .int()
    .min(1)
    .max(365)
    .default(30)
    .describe('Whose paid orders make an item the popular one.'),
  recurring_enabled: z
    .boolean()
    .default(true)
    .describe('Terms may be sold that renew themselves. False: the mandates that stand are ended as well.'),
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

function isValid(name: string, value: unknown): boolean {
  return (
    Object.hasOwn(Settings.shape, name) && Settings.shape[name as keyof Settings].safeParse(value).success
  )
}

/**
 * Merges changed values over the defaults. An invalid value is ignored, so that one wrong row does not stop
 * the service; `listInvalid` reports it.
 */
export function settingsFrom(changed: Record<string, unknown>): Settings {
  return Settings.parse(
    Object.fromEntries(Object.entries(changed).filter(([name, value]) => isValid(name, value))),
  )
}

/** Lists settings with invalid stored values; unknown names are ignored. */
export function listInvalid(changed: Record<string, unknown>): string[] {
  return Object.keys(changed).filter(
    (name) => Object.hasOwn(Settings.shape, name) && !isValid(name, changed[name]),
  )
}
