import { parseClock, writeClock } from '../../studio/form/clock.ts'
import { useDraft } from '../../studio/form/controls/use-draft.ts'
import styles from './captions-editor.module.css'

interface CueTimeProps {
  label: string
  /** Seconds; NaN while the text is no time. */
  value: number
  onChange: (seconds: number) => void
}

const write = (seconds: number) => (Number.isNaN(seconds) ? '' : writeClock(seconds))
const read = (text: string) => parseClock(text) ?? Number.NaN

/** The start or the end of a cue. */
export function CueTime({ label, value, onChange }: CueTimeProps) {
  const [text, take] = useDraft(value, write, read)
  return (
    <input
      type="text"
      inputMode="decimal"
      autocomplete="off"
      class={styles.time}
      aria-label={label}
      aria-invalid={Number.isNaN(value) || undefined}
      value={text}
      onInput={({ currentTarget }) => onChange(take(currentTarget.value))}
    />
  )
}
