import type { ComponentChildren, JSX } from 'preact'
import { useId } from 'preact/hooks'
import styles from './field.module.css'

export interface FieldProps {
  label: ComponentChildren
  /** What the value does, below the control. */
  hint?: ComponentChildren
  /** What is wrong with the value. */
  fault?: string | null | undefined
}

interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean | undefined
  class: string
}

/** Label, hint and fault around one control, connected for screen readers. */
export function Field({
  label,
  hint,
  fault,
  control,
}: FieldProps & { control: (props: ControlProps) => ComponentChildren }) {
  const { ids, props } = useControl(hint, fault)
  return (
    <div class={styles.field}>
      <label class={styles.label} for={props.id}>
        {label}
      </label>
      {control(props)}
      <Notes ids={ids} hint={hint} fault={fault} />
    </div>
  )
}

/** Label, hint and fault around a group of controls, such as radio buttons. */
export function FieldGroup({ label, hint, fault, children }: FieldProps & { children: ComponentChildren }) {
  const { ids, props } = useControl(hint, fault)
  return (
    <fieldset
      class={styles.field}
      aria-describedby={props['aria-describedby']}
      aria-invalid={props['aria-invalid']}
    >
      <legend class={styles.label}>{label}</legend>
      {children}
      <Notes ids={ids} hint={hint} fault={fault} />
    </fieldset>
  )
}

function useControl(hint: ComponentChildren, fault: string | null | undefined) {
  const id = useId()
  const ids = { hint: `${id}-hint`, fault: `${id}-fault` }
  const described = [fault ? ids.fault : '', hint ? ids.hint : ''].filter(Boolean).join(' ')
  const props: ControlProps = {
    id,
    'aria-describedby': described || undefined,
    'aria-invalid': fault ? true : undefined,
    class: styles.control ?? '',
  }
  return { ids, props }
}

function Notes({
  ids,
  hint,
  fault,
}: Pick<FieldProps, 'hint' | 'fault'> & { ids: { hint: string; fault: string } }) {
  return (
    <>
      {fault && (
        <span class={styles.fault} id={ids.fault} role="alert">
          {fault}
        </span>
      )}
      {hint && (
        <span class={styles.hint} id={ids.hint}>
          {hint}
        </span>
      )}
    </>
  )
}

type InputProps = FieldProps & { unit?: string | null } & Omit<JSX.IntrinsicElements['input'], 'label'>

/** One line of text, a number, a password, or any other kind of input with its label. */
export function TextField({ label, hint, fault, unit, ...rest }: InputProps) {
  return (
    <Field
      {...{ label, hint, fault }}
      control={(props) => (
        <span class={styles['with-unit']}>
          <input {...rest} {...props} />
          {unit && <span class={styles.unit}>{unit}</span>}
        </span>
      )}
    />
  )
}

export function TextArea({
  label,
  hint,
  fault,
  ...rest
}: FieldProps & Omit<JSX.IntrinsicElements['textarea'], 'label'>) {
  return <Field {...{ label, hint, fault }} control={(props) => <textarea rows={4} {...rest} {...props} />} />
}

export interface Option {
  value: string
  label: string
}

interface OptionGroup {
  label: string
  options: readonly Option[]
}

type SelectProps = FieldProps & { options: readonly Option[]; groups?: readonly OptionGroup[] } & Omit<
    JSX.IntrinsicElements['select'],
    'label' | 'children'
  >

/** A choice among a few values, by the control of the system. */
export function SelectField({ label, hint, fault, options, groups = [], value, ...rest }: SelectProps) {
  return (
    <Field
      {...{ label, hint, fault }}
      control={(props) => (
        <select {...rest} {...props} value={value}>
          <Options options={options} value={value} />
          {groups.map((group) => (
            <optgroup key={group.label} label={group.label}>
              <Options options={group.options} value={value} />
            </optgroup>
          ))}
        </select>
      )}
    />
  )
}

function Options({ options, value: chosen }: { options: readonly Option[]; value: unknown }) {
  return options.map(({ value, label }) => (
    <option key={value} value={value} selected={value === chosen}>
      {label}
    </option>
  ))
}

/** A choice between yes and no. */
export function CheckField({ label, hint, fault, ...rest }: InputProps) {
  const { ids, props } = useControl(hint, fault)
  return (
    <div class={styles.check}>
      <input type="checkbox" {...rest} {...props} class={undefined} />
      <label for={props.id}>{label}</label>
      <Notes ids={ids} hint={hint} fault={fault} />
    </div>
  )
}
