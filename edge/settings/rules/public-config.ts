import { UNDER_MAINTENANCE } from '../../platform/errors/rules/requests.ts'
import type { Settings } from './settings.ts'

/** Configuration that is not part of the settings. */
export interface Surroundings {
  mail: boolean
  identity_provider: boolean
  feedback: boolean
  captcha_site_key: string | null
  max_upload_gb: number
  /** True if a payment provider supports automatic renewal. */
  mandates: boolean
}

/** Returns the maintenance message in English; '' if none is set. */
function maintenanceMessage({ maintenance, maintenance_message: own }: Settings): string {
  return maintenance && own === '' ? UNDER_MAINTENANCE.en : own
}

/**
 * Returns the public config. A feature is reported as enabled only if its dependencies are configured.
 * Contract: Public endpoints, Public config.
 */
export function publicConfigOf(settings: Settings, around: Surroundings) {
  const { time_tariff_base_credits, time_tariff_per_extra_minute_credits, time_tariff_max_credits } = settings
  return {
    maintenance: settings.maintenance,
    // This message is also shown before maintenance starts.
    maintenance_message: maintenanceMessage(settings),
    support: { email: settings.support_email || null, url: settings.support_url || null },
    captcha_site_key: around.captcha_site_key,
    registration_enabled: settings.registration_enabled,
    email_verification_enabled: settings.email_verification_enabled && around.mail,
    password_reset_enabled: around.mail,
    verify_bonus_credits: settings.verify_bonus_credits,
    idp_auth_enabled: settings.idp_auth_enabled && around.identity_provider,
    feedback_enabled: around.feedback,
    max_upload_gb: around.max_upload_gb,
    anonymous: {
      uploads_enabled: settings.uploads_per_day_anonymous > 0,
      uploads_per_day: settings.uploads_per_day_anonymous,
      input_max_minutes: settings.input_max_minutes_anonymous,
      in_flight_max: settings.in_flight_max_anonymous,
      requests_per_minute: settings.requests_per_minute_anonymous,
      requests_per_day: settings.requests_per_day_anonymous,
      files_live_hours: settings.files_live_hours_free,
    },
    billing: {
      time_tariff_enabled:
        time_tariff_per_extra_minute_credits > 0 && time_tariff_max_credits > time_tariff_base_credits,
      time_tariff_base_credits,
      time_tariff_per_extra_minute_credits,
      time_tariff_max_credits,
      input_max_minutes: {
        anonymous: settings.input_max_minutes_anonymous,
        free: settings.input_max_minutes_free,
        paid: settings.input_max_minutes_paid,
      },
      bundle_pack_discount_pct: settings.bundle_pack_discount_pct,
      packs_require_subscription: settings.packs_require_subscription,
      recurring_available: settings.recurring_enabled && around.mandates,
    },
  }
}
