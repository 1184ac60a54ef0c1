import { useId } from 'preact/hooks'
import type { Option } from './field.tsx'
import styles from './segmented.module.css'

interface SegmentedProps {
  /** Absent if a fieldset around it has the label. */
  label?: string
  options: readonly Option[]
  value: string
  onChange: (value: string) => void
}

/** A choice among two to five values that are all visible. */
export function Segmented({ label, options, value, onChange }: SegmentedProps) {
  const name = useId()
  const Group = label === undefined ? 'div' : 'fieldset'
  return (
    <Group class={styles.group}>
      {label !== undefined && <legend class="visually-hidden">{label}</legend>}
      {options.map((option) => (
        <label key={option.value} class={styles.option}>
          <input
            type="radio"
            class="visually-hidden"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.label}
        </label>
      ))}
    </Group>
  )
}
