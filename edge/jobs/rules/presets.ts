import type { Operation, Preset } from '../../../shared/planning/operation.ts'
import { validateParams } from '../../../shared/planning/validate.ts'
import type { InputFault } from '../../platform/errors/rules/entry.ts'
import { faultAt } from '../../platform/errors/rules/field-faults.ts'

/** What addresses the input is of the job; a preset of a link operation is judged with one laid in. */
const SOME_LINK = { url: 'https://video.example.org/watch?v=1' }

/** The first preset that the operation would refuse, or whose label is another's; null: all are right. */
export function findPresetFault(operation: Operation, presets: readonly Preset[]): InputFault | null {
  for (const [index, { label, params }] of presets.entries()) {
    if (presets.findIndex((other) => other.label === label) !== index) {
      return faultAt(['body', 'presets', index, 'label'], 'duplicate_preset', { label })
    }
    const isLink = operation.accepts.includes('link')
    const checked = validateParams(operation, isLink ? { ...SOME_LINK, ...params } : params)
    if ('refused' in checked) {
      const reason = checked.refused.message
      return faultAt(['body', 'presets', index, 'params'], 'invalid_preset', { reason })
    }
  }
  return null
}
