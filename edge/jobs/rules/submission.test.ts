import { expect, test } from 'vitest'
import { settingsFrom } from '../../settings/rules/settings.ts'
import { inputSecondsMax, resultLifeMs, tariffOf } from './submission.ts'

const settings = settingsFrom({})
const HOUR_MS = 60 * 60 * 1000

test.each([
  ['anonymous', 10, 24],
  ['free', 30, 24],
  ['paid', 180, 168],
] as const)('%s: inputs of %i minutes, results live %i hours', (tier, minutes, hours) => {
  expect(inputSecondsMax(settings, tier)).toBe(minutes * 60)
  expect(resultLifeMs(settings, tier)).toBe(hours * HOUR_MS)
  expect(resultLifeMs(settings, tier, 24)).toBe(24 * HOUR_MS)
})

test('the tariff in force is that of the settings', () => {
  const changed = settingsFrom({ time_tariff_base_credits: 3, time_tariff_max_credits: 40 })
  expect(tariffOf(settings)).toEqual({ base_credits: 2, per_extra_minute_credits: 1, max_credits: 30 })
  expect(tariffOf(changed)).toEqual({ base_credits: 3, per_extra_minute_credits: 1, max_credits: 40 })
})
