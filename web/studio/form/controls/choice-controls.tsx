import { CheckField, FieldGroup, SelectField } from '../../../design/field.tsx'
import { Segmented } from '../../../design/segmented.tsx'
import { namedOptions, optionNamed } from '../control-kind.ts'
import { automatic } from './automatic.ts'
import { type ControlProps, notesOf } from './control-props.ts'
import styles from './controls.module.css'
import { PositionGrid } from './position-grid.tsx'

export function CheckControl(props: ControlProps) {
  return (
    <CheckField
      {...notesOf(props)}
      checked={props.value === true}
      onChange={({ currentTarget }) => props.onChange(currentTarget.checked)}
    />
  )
}

/** A few options beside each other. */
export function ChoiceControl(props: ControlProps) {
  const { field, value, onChange } = props
  return (
    <FieldGroup {...notesOf(props)}>
      <Segmented
        options={namedOptions(field)}
        value={String(value ?? '')}
        onChange={(name) => onChange(optionNamed(field, name))}
      />
    </FieldGroup>
  )
}

export function SelectControl(props: ControlProps) {
  const { field, value, onChange } = props
  const is_optional = (field.default ?? null) === null && !field.required
  const none = is_optional || value === undefined || value === null
  const options = [
    ...(none ? [{ value: '', label: is_optional ? automatic().automatic : '' }] : []),
    ...namedOptions(field),
  ]
  return (
    <SelectField
      {...notesOf(props)}
      options={options}
      value={String(value ?? '')}
      onChange={({ currentTarget }) => onChange(optionNamed(field, currentTarget.value))}
    />
  )
}

/** Any number of options. */
export function ChecksControl(props: ControlProps) {
  const { field, value, onChange } = props
  const chosen = Array.isArray(value) ? value.map(String) : []
  const toggle = (name: string) => {
    const kept = chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]
    // In the order of the options, so that the same choice is always the same value.
    onChange((field.options ?? []).filter((option) => kept.includes(String(option))))
  }
  return (
    <FieldGroup {...notesOf(props)}>
      <div class={styles.checks}>
        {namedOptions(field).map((option) => (
          <CheckField
            key={option.value}
            label={option.label}
            checked={chosen.includes(option.value)}
            onChange={() => toggle(option.value)}
          />
        ))}
      </div>
    </FieldGroup>
  )
}

/** One of nine positions, as a grid. */
export function PositionControl(props: ControlProps) {
  const { field, value } = props
  const options = namedOptions(field)
  return (
    <FieldGroup {...notesOf(props)}>
      <div class={styles.position}>
        <PositionGrid options={options} value={String(value ?? '')} onChange={props.onChange} />
        <span aria-hidden>{options.find((option) => option.value === value)?.label}</span>
      </div>
    </FieldGroup>
  )
}
