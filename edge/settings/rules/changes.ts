import { unpackTexts } from '../../../shared/text/texts.ts'
import type { InputFault } from '../../platform/errors/rules/entry.ts'
import { faultAt } from '../../platform/errors/rules/field-faults.ts'
import { Settings } from './settings.ts'

/** Pairs of settings; the first value must not exceed the second. */
const ORDERED: [keyof Settings, keyof Settings][] = [
  ['time_tariff_base_credits', 'time_tariff_max_credits'],
  ['withdrawal_days', 'refund_policy_days'],
]

/**
 * Validates each change against its setting's schema, and then the resulting settings against each other.
 * @param current the current settings
 * @param asked the requested changes; null restores the default
 */
export function findSettingFaults(current: Settings, asked: Record<string, unknown>): InputFault[] {
  const own = Object.entries(asked).flatMap(([name, value]) => findOwnFaults(name, value))
  if (own.length > 0) return own
  const defaults = Settings.parse({})
  const next = new Map<string, unknown>(Object.entries(current))
  for (const [name, value] of Object.entries(asked)) {
    next.set(name, value ?? defaults[name as keyof Settings])
  }
  return ORDERED.filter(([low, high]) => Object.hasOwn(asked, low) || Object.hasOwn(asked, high))
    .filter(([low, high]) => Number(next.get(low)) > Number(next.get(high)))
    .map(([low, high]) => {
      const values = { low_value: next.get(low), high_value: next.get(high) }
      const name = Object.hasOwn(asked, low) ? low : high
      return faultAt(['body', name], 'settings_conflict', { low, high, ...values })
    })
}

function findOwnFaults(name: string, value: unknown): InputFault[] {
  if (!Object.hasOwn(Settings.shape, name)) {
    return [faultAt(['body', name], 'unknown_setting')]
  }
  if (value === null) return []
  const { error } = Settings.shape[name as keyof Settings].safeParse(value)
  return (error?.issues ?? []).map(({ message, code }) => ({
    loc: ['body', name],
    msg: unpackTexts(message),
    type: code,
  }))
}
