import { describeForm } from '../../../../shared/forms/describe-form.ts'
import { formOf } from '../../../../shared/operations/forms.ts'
import { OPERATIONS } from '../../../../shared/operations/index.ts'
import type { Tool } from '../../tools.ts'

/** The real catalog as the service lists it in English: only what forms read. */
export const TOOLS = OPERATIONS.map((operation) => {
  const form = formOf(operation)
  const { service: service_slug, key: operation_key, accepts, presets } = operation
  const config = { fields: describeForm(operation, form, 'en'), presets }
  return { service_slug, operation_key, accepts, config } as unknown as Tool
})

export function toolName({ service_slug, operation_key }: Tool): string {
  return `${service_slug}/${operation_key}`
}

export function toolNamed(name: string): Tool {
  const tool = TOOLS.find((each) => toolName(each) === name)
  if (tool === undefined) throw new Error(`There is no tool ${name}.`)
  return tool
}
