import type { Operation, Preset } from '../../../shared/planning/operation.ts'
import { validateParams } from '../../../shared/planning/validate.ts'

/** What addresses the input is of the job; a preset of a link operation is judged with one laid in. */
const SOME_LINK = { url: 'https://video.example.org/watch?v=1' }

/** The first preset that the operation would refuse, or whose label is another's; null: all are right. */
export function findPresetFault(
  operation: Operation,
  presets: readonly Preset[],
): { path: (string | number)[]; message: string } | null {
  for (const [index, { label, params }] of presets.entries()) {
    if (presets.findIndex((other) => other.label === label) !== index) {
      return { path: [index, 'label'], message: `${label}: two presets have this label` }
    }
    const isLink = operation.accepts.includes('link')
    const checked = validateParams(operation, isLink ? { ...SOME_LINK, ...params } : params)
    if ('refused' in checked) return { path: [index, 'params'], message: checked.refused.message }
  }
  return null
}
