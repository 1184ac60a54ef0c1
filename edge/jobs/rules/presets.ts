import type { Operation, Preset } from '../../../shared/planning/operation.ts'
import { validateParams } from '../../../shared/planning/validate.ts'
import type { InputFault } from '../../platform/errors/rules/entry.ts'
import { faultAt } from '../../platform/errors/rules/field-faults.ts'

/**
 * Placeholder for validating the presets and templates of link operations, because the URL comes from the job.
 */
export const SOME_LINK = { url: 'https://video.example.org/watch?v=1' }

/** Returns the error for the first preset that is invalid or repeats a label, or null if all are valid. */
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
