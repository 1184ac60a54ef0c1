import { Settings } from './settings.ts'

/** A setting that cannot be changed as asked, and why. */
export interface SettingFault {
  name: string
  message: string
  code: string
}

/** Pairs of which the first may never be above the second. */
const ORDERED: [keyof Settings, keyof Settings][] = [
  ['time_tariff_base_credits', 'time_tariff_max_credits'],
  ['withdrawal_days', 'refund_policy_days'],
]

/**
 * Judges changes against each setting's own schema, then what would be in force against one another.
 * @param current the settings in force
 * @param asked null for back to the default
 */
export function findSettingFaults(current: Settings, asked: Record<string, unknown>): SettingFault[] {
  const own = Object.entries(asked).flatMap(([name, value]) => findOwnFaults(name, value))
  if (own.length > 0) return own
  const defaults = Settings.parse({})
  const next = new Map<string, unknown>(Object.entries(current))
  for (const [name, value] of Object.entries(asked)) {
    next.set(name, value ?? defaults[name as keyof Settings])
  }
  return ORDERED.filter(([low, high]) => Object.hasOwn(asked, low) || Object.hasOwn(asked, high))
    .filter(([low, high]) => Number(next.get(low)) > Number(next.get(high)))
    .map(([low, high]) => ({
      name: Object.hasOwn(asked, low) ? low : high,
      message: `${low} would be ${next.get(low)}, more than ${high}, which would be ${next.get(high)}`,
      code: 'custom',
    }))
}

function findOwnFaults(name: string, value: unknown): SettingFault[] {
  if (!Object.hasOwn(Settings.shape, name)) {
    return [{ name, message: 'there is no such setting', code: 'unrecognized_keys' }]
  }
  if (value === null) return []
  const { error } = Settings.shape[name as keyof Settings].safeParse(value)
  return (error?.issues ?? []).map(({ message, code }) => ({ name, message, code }))
}
