import { useId } from 'preact/hooks'
import { classes } from '../../../design/classes.ts'
import styles from './controls.module.css'

interface PositionGridProps {
  options: readonly { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
  /** True if it lies over a picture and has its size. */
  fillsPicture?: boolean
}

/** Nine radio buttons in three rows. The arrow keys move between them. */
export function PositionGrid({ options, value, onChange, fillsPicture }: PositionGridProps) {
  const name = useId()
  return (
    <div class={classes(styles.grid, fillsPicture && styles.large)}>
      {options.map((option) => (
        <label key={option.value} title={option.label}>
          <input
            type="radio"
            name={name}
            aria-label={option.label}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
        </label>
      ))}
    </div>
  )
}
