import { describeFields } from '../../shared/planning/fields.ts'
import type { SessionCaller } from '../accounts/rules/caller.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { forgetSettings, loadSettings, readChangedSettings, settingStatement } from '../settings/queries.ts'
import { findSettingFaults } from '../settings/rules/changes.ts'
import { Settings, settingsFrom } from '../settings/rules/settings.ts'
import { administer } from './audit.ts'

/** Lists settings with the descriptions of their schemas. */
export async function listSettings(deps: Deps) {
  return viewSettings(await readChangedSettings(deps.db))
}

/** Changes settings by name: either all of them or none. Throws 422 with one fault per invalid setting. */
export async function changeSettings(deps: Deps, caller: SessionCaller, asked: Record<string, unknown>) {
  const answer = await administer(deps, caller, {
    load: () => readChangedSettings(deps.db),
    decide: (stored) => {
      const current = settingsFrom(stored)
      const faults = findSettingFaults(current, asked)
      if (faults.length > 0) throw new ApiError('validation_failed', { faults })
      const after = withChanges(stored, asked)
      const next = settingsFrom(after)
      const changes = Object.entries(asked).filter(([name]) => !isSame(stored[name], after[name]))
      return {
        statements: changes.map(([name, value]) => settingStatement(deps.db, name, value)),
        entries: changes.map(([name]) => ({
          action: 'setting.change',
          target: `setting:${name}`,
          before: current[name as keyof Settings],
          after: next[name as keyof Settings],
        })),
        answer: viewSettings(after),
      }
    },
  })
  forgetSettings(deps.db)
  await loadSettings(deps.db, deps.clock.now())
  return answer
}

function withChanges(stored: Record<string, unknown>, asked: Record<string, unknown>) {
  const all = Object.entries({ ...stored, ...asked })
  return Object.fromEntries(all.filter(([, value]) => value !== null)) as Record<string, unknown>
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function viewSettings(stored: Record<string, unknown>) {
  const current = settingsFrom(stored)
  return describeFields({ parameters: Settings }).map(({ key, type, required: _, ...field }) => ({
    name: key,
    value: current[key as keyof Settings],
    changed: Object.hasOwn(stored, key),
    // A union, such as an address or an empty string, has no single type.
    type: typeof field.default === 'string' ? ('string' as const) : type,
    ...field,
  }))
}
