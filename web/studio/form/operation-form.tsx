import { useState } from 'preact/hooks'
import type { Tool } from '../tools.ts'
import { describeFault } from './describe-fault.ts'
import { findFaults } from './find-faults.ts'
import { fieldAt, formFields, type Params, withParam } from './form-fields.ts'
import { FormSections } from './form-sections.tsx'

export type { Params }

interface OperationFormProps {
  tool: Tool
  params: Params
  onChange: (params: Params) => void
  /** True once the user has tried to start: then every fault is shown, also of fields that were not visited. */
  showsFaults?: boolean
  /** What the service has refused, by the name of the parameter. */
  refusals?: Readonly<Record<string, string>>
}

/**
 * Form of any operation, generated from its parameters in the tools listing (Contract: Catalog, Forms). Before a
 * start, call findFaults; submit what sentParams returns.
 */
export function OperationForm({ tool, params, onChange, showsFaults, refusals = {} }: OperationFormProps) {
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set())
  const fields = formFields(tool)
  const faults = findFaults(fields, params)
  const faultAt = (path: string) => {
    const fault = faults[path]
    const field = fieldAt(fields, path)
    if (fault === undefined || field === null) return refusals[path] ?? null
    const [key = path] = path.split('.')
    return showsFaults || visited.has(key) ? describeFault(fault, field) : null
  }
  return (
    // Leaving a field shows what is wrong with it.
    <div
      onFocusOut={({ target }) => {
        const key = (target as Element).closest<HTMLElement>('[data-field]')?.dataset.field
        if (key !== undefined && !visited.has(key)) setVisited(new Set([...visited, key]))
      }}
    >
      <FormSections
        fields={fields}
        params={params}
        onChange={(key, value) => onChange(withParam(params, key, value))}
        faultAt={faultAt}
      />
    </div>
  )
}
