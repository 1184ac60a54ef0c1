import { CheckField, SelectField, TextField } from '../../design/field.tsx'
import type { Field, Tool } from '../tools.ts'
import styles from './operation-form.module.css'

export type Params = Record<string, unknown>

interface OperationFormProps {
  tool: Tool
  params: Params
  onChange: (params: Params) => void
  /** Parameters that an editor on the picture sets. */
  hidden?: readonly string[]
}

/** Form of any operation, generated from its parameters in the tools listing. */
export function OperationForm({ tool, params, onChange, hidden = [] }: OperationFormProps) {
  const set = (key: string, value: unknown) => {
    const { [key]: _, ...rest } = params
    onChange(value === null ? rest : { ...rest, [key]: value })
  }
  const fields = tool.config.fields.filter(({ key }) => !hidden.includes(key))
  return (
    <div class={styles.form}>
      {fields.map((field) => (
        <Control
          key={field.key}
          field={field}
          value={params[field.key]}
          onChange={(value) => set(field.key, value)}
        />
      ))}
    </div>
  )
}

interface ControlProps {
  field: Field
  value: unknown
  /** Receives null to use the default. */
  onChange: (value: unknown) => void
}

function Control({ field, value, onChange }: ControlProps) {
  const { key, type, min, max, options, description } = field
  const shown = value ?? field.default
  const common = { label: key, hint: description }
  if (type === 'boolean') {
    return (
      <CheckField
        {...common}
        checked={shown === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    )
  }
  if (type === 'enum') {
    const choices = (options ?? []).map((option) => ({ value: String(option), label: String(option) }))
    const find = (text: string) => options?.find((option) => String(option) === text) ?? null
    return (
      <SelectField
        {...common}
        options={choices}
        value={String(shown ?? '')}
        onChange={({ currentTarget }) => onChange(find(currentTarget.value))}
      />
    )
  }
  if (type === 'integer' || type === 'number') {
    return (
      <TextField
        {...common}
        type="number"
        step={type === 'integer' ? 1 : 'any'}
        min={min ?? undefined}
        max={max ?? undefined}
        value={shown === null ? '' : Number(shown)}
        onInput={({ currentTarget: { value, valueAsNumber } }) =>
          onChange(value === '' ? null : valueAsNumber)
        }
      />
    )
  }
  return (
    <TextField
      {...common}
      value={String(shown ?? '')}
      onInput={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
    />
  )
}
