import { Field, TextField } from '../../../design/field.tsx'
import { parseClock, writeClock } from '../clock.ts'
import { withUnit } from '../describe-fault.ts'
import { automatic } from './automatic.ts'
import { type ControlProps, notesOf } from './control-props.ts'
import styles from './controls.module.css'
import { useDraft } from './use-draft.ts'

type NumberOrNull = number | null

/** Returns the number that a control shows: null for none, NaN for what is no number. */
function numberOf(value: unknown): NumberOrNull {
  return value === null || value === undefined ? null : Number(value)
}

const writeNumber = (value: NumberOrNull) => (value === null || Number.isNaN(value) ? '' : String(value))
const readNumber = (text: string) => (text === '' ? null : Number(text))

export function NumberControl(props: ControlProps) {
  const { field, value, onChange } = props
  const [text, take] = useDraft(numberOf(value), writeNumber, readNumber)
  return (
    <TextField
      {...notesOf(props)}
      type="number"
      inputMode="decimal"
      unit={field.unit_symbol}
      min={field.min ?? undefined}
      max={field.max ?? undefined}
      step={field.step ?? (field.type === 'integer' ? 1 : 'any')}
      placeholder={field.required ? undefined : automatic().automatic}
      value={text}
      onInput={({ currentTarget }) => {
        const next = take(currentTarget.value)
        // Of what is no number, browsers show no text to scripts.
        onChange(currentTarget.validity.badInput ? Number.NaN : next)
      }}
    />
  )
}

/** A slider, with the same value as a number beside it. */
export function SliderControl(props: ControlProps) {
  const { field, value, onChange } = props
  const number = numberOf(value)
  const [text, take] = useDraft(number, writeNumber, readNumber)
  const { min, max, label, unit_symbol } = field
  const step = field.step ?? (field.type === 'integer' ? 1 : 'any')
  const isSet = number !== null && Number.isFinite(number)
  return (
    <Field
      {...notesOf(props)}
      control={({ class: name, ...control }) => (
        <span class={styles.slider}>
          <input
            type="range"
            {...control}
            {...{ min: min ?? 0, max: max ?? 1, step }}
            value={isSet ? number : (min ?? 0)}
            data-unset={!isSet || undefined}
            aria-valuetext={isSet ? withUnit(number, unit_symbol) : automatic().automatic}
            onInput={({ currentTarget }) => onChange(currentTarget.valueAsNumber)}
          />
          <input
            type="number"
            class={name}
            aria-label={unit_symbol === null ? label : `${label}, ${unit_symbol}`}
            {...{ min: min ?? undefined, max: max ?? undefined, step }}
            placeholder={automatic().automatic}
            value={text}
            onInput={({ currentTarget }) => {
              const next = take(currentTarget.value)
              onChange(currentTarget.validity.badInput ? Number.NaN : next)
            }}
          />
          {unit_symbol !== null && <span class={styles.unit}>{unit_symbol}</span>}
        </span>
      )}
    />
  )
}

const writeTime = (value: NumberOrNull) => (value === null || Number.isNaN(value) ? '' : writeClock(value))

/** A time in seconds, shown and typed as on a clock. */
export function TimeControl(props: ControlProps) {
  const { field, value, onChange } = props
  const [text, take] = useDraft(numberOf(value), writeTime, parseClock)
  return (
    <TextField
      {...notesOf(props)}
      inputMode="decimal"
      autocomplete="off"
      placeholder={field.required ? undefined : automatic().automatic}
      value={text}
      onInput={({ currentTarget }) => onChange(take(currentTarget.value))}
    />
  )
}
