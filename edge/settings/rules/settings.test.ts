import { expect, test } from 'vitest'
import { listInvalid, settingsFrom } from './settings.ts'

test('no stored value lowers the statutory withdrawal below 14 days', () => {
  expect(settingsFrom({ withdrawal_days: 0 }).withdrawal_days).toBe(14)
})

test('the defaults are those of the contract', () => {
  expect(settingsFrom({})).toMatchObject({
    daily_free_credits: 20,
    daily_free_unconfirmed: true,
    time_tariff_base_credits: 2,
    time_tariff_per_extra_minute_credits: 1,
    time_tariff_max_credits: 30,
    input_max_minutes_anonymous: 10,
    input_max_minutes_free: 30,
    input_max_minutes_paid: 180,
    files_live_hours_free: 24,
    files_live_hours_paid: 168,
    verify_bonus_credits: 50,
    registrations_per_hour_per_ip: 5,
    login_failures_max: 10,
    login_failures_per_account_max: 50,
    login_failures_per_ip_max: 10,
    withdrawal_days: 14,
    refund_policy_days: 30,
    refunds_enabled: true,
    renewal_grace_days: 7,
    bundle_pack_discount_pct: 10,
    packs_require_subscription: false,
    recurring_enabled: true,
    payments_live: true,
    tax_included: false,
    popular_window_days: 30,
    subscriptions_renewal_notice_days_annual: 30,
    subscriptions_renewal_notice_days_short: 7,
  })
})

test('changed settings override the defaults; retired names are ignored', () => {
  expect(settingsFrom({ daily_free_credits: 5, retired_setting: 1 })).toMatchObject({
    daily_free_credits: 5,
    time_tariff_base_credits: 2,
  })
})

test.each([
  ['daily_free_credits', -1],
  ['daily_free_credits', 1.5],
  ['daily_free_credits', '20'],
  ['daily_free_unconfirmed', 'yes'],
  ['time_tariff_max_credits', 10_001],
  ['input_max_minutes_free', 0],
])('%s with the invalid value %j keeps its default and is named', (name, value) => {
  const changed = { verify_bonus_credits: 7, [name]: value, retired_setting: 1 }
  expect(settingsFrom(changed)).toEqual(settingsFrom({ verify_bonus_credits: 7 }))
  expect(listInvalid(changed)).toEqual([name])
})
