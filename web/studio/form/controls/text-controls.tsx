import { Field, TextArea, TextField } from '../../../design/field.tsx'
import { defineTexts } from '../../../text/define-texts.ts'
import { isColor } from '../find-faults.ts'
import { automatic } from './automatic.ts'
import { type ControlProps, notesOf } from './control-props.ts'
import styles from './controls.module.css'

const texts = defineTexts({
  en: { required: 'Your text' },
  uk: { required: 'Ваш текст' },
  ru: { required: 'Ваш текст' },
})

const textOf = (value: unknown) => (value === null || value === undefined ? '' : String(value))

export function TextControl(props: ControlProps) {
  const { field, value, onChange } = props
  const type = field.control === 'url' ? 'url' : 'text'
  return (
    <TextField
      {...notesOf(props)}
      type={type}
      value={textOf(value)}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

export function MultilineControl(props: ControlProps) {
  const { field, value, onChange } = props
  return (
    <TextArea
      {...notesOf(props)}
      rows={field.control === 'captions' ? 6 : 2}
      placeholder={field.required ? texts().required : undefined}
      value={textOf(value)}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** A color by the picker of the system, or typed. Optional colors can be empty. */
export function ColorControl(props: ControlProps) {
  const { field, value, onChange } = props
  const text = textOf(value)
  return (
    <Field
      {...notesOf(props)}
      control={(control) => (
        <span class={styles.color}>
          <input
            type="color"
            aria-label={field.label}
            value={pickerColor(text)}
            data-unset={text === '' || undefined}
            onInput={({ currentTarget }) => onChange(currentTarget.value)}
          />
          <input
            type="text"
            {...control}
            spellcheck={false}
            autocomplete="off"
            placeholder={automatic().automatic}
            value={text}
            onInput={({ currentTarget }) => onChange(currentTarget.value.trim())}
          />
        </span>
      )}
    />
  )
}

/** Returns a color as #rrggbb, the only notation that color pickers know. */
function pickerColor(text: string): string {
  if (!isColor(text)) return '#000000'
  const digits = text.replace('#', '')
  if (/^[\da-f]{3}$/i.test(digits)) return `#${digits.replace(/./g, '$&$&')}`
  return /^[\da-f]{6}$/i.test(digits) ? `#${digits}` : '#000000'
}

/** Length of a date without its zone, as the date pickers of browsers know it. */
const LOCAL_TIME_CHARACTERS = 'YYYY-MM-DDThh:mm:ss'.length

export function DateControl(props: ControlProps) {
  const { value, onChange } = props
  return (
    <TextField
      {...notesOf(props)}
      type="datetime-local"
      step={1}
      value={textOf(value).slice(0, LOCAL_TIME_CHARACTERS)}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
