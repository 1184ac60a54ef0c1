import { describe, expect, test } from 'vitest'
import { makeTestContext, type TestContext } from '../../test/edge/worker/context.ts'
import { freshAddress, makeLimitedContext } from '../../test/edge/worker/limited-context.ts'
import type { PaymentProvider } from '../payments/provider.ts'

const PATH = '/api/v1/public/config'
const NOTHING = {
  ...{ SMTP_HOST: undefined, IDP_ISSUER: undefined, IDP_CLIENT_ID: undefined },
  ...{ CAPTCHA_SECRET_KEY: undefined, CAPTCHA_SITE_KEY: undefined, FEEDBACK_EMAIL: undefined },
}

const show = ({ call }: TestContext) => call('GET', PATH, { headers: { 'cf-connecting-ip': freshAddress() } })

describe('the public config', () => {
  test('states the open features, limits and prices', async () => {
    const testContext = await makeLimitedContext({ uploads_per_day_anonymous: 20 }, NOTHING)
    testContext.deps.payments.splice(0)
    const answer = await show(testContext)
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
      maintenance: false,
      maintenance_message: '',
      support: { email: null, url: null },
      captcha_site_key: null,
      registration_enabled: true,
      email_verification_enabled: false,
      password_reset_enabled: false,
      verify_bonus_credits: 50,
      idp_auth_enabled: false,
      feedback_enabled: false,
      max_upload_gb: 5,
      anonymous: {
        uploads_enabled: true,
        uploads_per_day: 20,
        input_max_minutes: 10,
        in_flight_max: 2,
        requests_per_minute: 30,
        requests_per_day: 10_000,
        files_live_hours: 24,
      },
      billing: {
        time_tariff_enabled: true,
        time_tariff_base_credits: 2,
        time_tariff_per_extra_minute_credits: 1,
        time_tariff_max_credits: 30,
        input_max_minutes: { anonymous: 10, free: 30, paid: 180 },
        bundle_pack_discount_pct: 10,
        packs_require_subscription: false,
        recurring_available: false,
      },
    })
  })

  test('follows the settings and the configuration', async () => {
    const testContext = await makeLimitedContext(
      {
        maintenance: true,
        maintenance_message: 'Back at noon.',
        support_email: 'help@example.com',
        support_url: 'https://example.com/help',
        uploads_per_day_anonymous: 0,
        time_tariff_per_extra_minute_credits: 0,
        input_max_minutes_paid: 90,
        verify_bonus_credits: 7,
        registration_enabled: false,
        bundle_pack_discount_pct: 0,
        packs_require_subscription: true,
      },
      {
        ...{ CAPTCHA_SITE_KEY: 'site-key', CAPTCHA_SECRET_KEY: 'secret' },
        ...{ FEEDBACK_EMAIL: 'people@example.com', MAX_UPLOAD_GB: '2.5' },
      },
    )
    testContext.deps.payments.splice(0, Number.POSITIVE_INFINITY, { holds_mandates: true } as PaymentProvider)
    expect((await show(testContext)).json).toMatchObject({
      maintenance: true,
      maintenance_message: 'Back at noon.',
      support: { email: 'help@example.com', url: 'https://example.com/help' },
      captcha_site_key: 'site-key',
      registration_enabled: false,
      email_verification_enabled: true,
      password_reset_enabled: true,
      verify_bonus_credits: 7,
      idp_auth_enabled: true,
      feedback_enabled: true,
      max_upload_gb: 2.5,
      anonymous: { uploads_enabled: false, uploads_per_day: 0 },
      billing: {
        time_tariff_enabled: false,
        input_max_minutes: { paid: 90 },
        bundle_pack_discount_pct: 0,
        packs_require_subscription: true,
        recurring_available: true,
      },
    })
  })

  test('says that nothing renews when renewal is off or no provider supports it', async () => {
    for (const [recurring_enabled, holds_mandates] of [
      [false, true],
      [true, false],
    ] as const) {
      const testContext = await makeLimitedContext({ recurring_enabled }, NOTHING)
      testContext.deps.payments.splice(0, Number.POSITIVE_INFINITY, { holds_mandates } as PaymentProvider)
      expect((await show(testContext)).json.billing.recurring_available).toBe(false)
    }
  })

  test('can be cached by clients for some seconds, and queries only the settings', async () => {
    const testContext = makeTestContext()
    const first = await show(testContext)
    expect(first.headers.get('cache-control')).toMatch(
      /^public, max-age=\d{1,2}, stale-while-revalidate=\d{1,2}$/,
    )
    testContext.deps.db.$client.execute = () => Promise.reject(new Error('nobody asks'))
    testContext.deps.db.$client.batch = () => Promise.reject(new Error('nobody asks'))
    expect((await show(testContext)).status).toBe(200)
  })
})
