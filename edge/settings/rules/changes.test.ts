import { expect, test } from 'vitest'
import { findSettingFaults } from './changes.ts'
import { settingsFrom } from './settings.ts'

const CURRENT = settingsFrom({ withdrawal_days: 20, refund_policy_days: 25 })

test.each([
  [{}],
  [{ verify_bonus_credits: 100, payments_live: false }],
  [{ withdrawal_days: null, refund_policy_days: null }],
  [{ withdrawal_days: 40, refund_policy_days: 40 }],
  [{ feature_switches: { webhooks: ['staff'] } }],
])('%j is valid', (changes) => {
  expect(findSettingFaults(CURRENT, changes)).toEqual([])
})

test.each([
  [{ verify_bonus_credits: -1 }, ['verify_bonus_credits']],
  [{ verify_bonus_credits: '5', payments_live: 1 }, ['verify_bonus_credits', 'payments_live']],
  [{ no_such_setting: 1 }, ['no_such_setting']],
  [{ constructor: null }, ['constructor']],
  [{ support_email: 'nobody' }, ['support_email']],
  [{ withdrawal_days: 26 }, ['withdrawal_days']],
  [{ withdrawal_days: 13 }, ['withdrawal_days']],
  [{ refund_policy_days: 19 }, ['refund_policy_days']],
  [{ time_tariff_max_credits: 1 }, ['time_tariff_max_credits']],
  [{ refund_policy_days: 10, withdrawal_days: null }, ['withdrawal_days']],
])('%j is invalid', (changes, names) => {
  expect(findSettingFaults(CURRENT, changes).map(({ loc }) => loc)).toEqual(
    names.map((name) => ['body', name]),
  )
})
