import type { JSX } from 'preact'
import { defineTexts } from '../../text/define-texts.ts'
import { type ControlKind, controlKind } from './control-kind.ts'
import {
  CheckControl,
  ChecksControl,
  ChoiceControl,
  PositionControl,
  SelectControl,
} from './controls/choice-controls.tsx'
import type { ControlProps } from './controls/control-props.ts'
import { FileControl } from './controls/file-control.tsx'
import { NumberControl, SliderControl, TimeControl } from './controls/number-controls.tsx'
import { RowsControl } from './controls/rows-control.tsx'
import { ColorControl, DateControl, MultilineControl, TextControl } from './controls/text-controls.tsx'
import { arrangeFields, effectiveValue, type Field, type Params, visibleFields } from './form-fields.ts'
import styles from './operation-form.module.css'

const texts = defineTexts({
  en: { advanced: 'Advanced settings' },
  uk: { advanced: 'Додаткові налаштування' },
  ru: { advanced: 'Дополнительные настройки' },
})

interface FormSectionsProps {
  fields: readonly Field[]
  params: Params
  onChange: (key: string, value: unknown) => void
  /** Returns what is wrong at the path of a field, such as `width` or `tracks.0.url`. */
  faultAt: (path: string) => string | null
}

/** The fields that have an effect, by groups; what few people change is behind a disclosure. */
export function FormSections({ fields, params, onChange, faultAt }: FormSectionsProps) {
  const shown = visibleFields(fields, params)
  const [basic, advanced] = [false, true].map((wanted) =>
    shown.filter((field) => field.is_advanced === wanted),
  )
  const sections = (members: readonly Field[] = []) =>
    arrangeFields(members).map(({ title, fields: [first, ...rest] }) => {
      if (first === undefined) return null
      const controls = [first, ...rest].map((field) => (
        <FieldControl
          key={field.key}
          field={field}
          value={effectiveValue(field, params)}
          onChange={(value) => onChange(field.key, value)}
          faultAt={faultAt}
        />
      ))
      return <FormSection key={first.key} title={title} controls={controls} />
    })
  const opens = advanced?.some(({ key }) => params[key] !== undefined || faultAt(key) !== null)
  return (
    <div class={styles.sections}>
      {sections(basic)}
      {advanced !== undefined && advanced.length > 0 && (
        <details class={styles.advanced} open={opens || undefined}>
          <summary>{texts().advanced}</summary>
          <div class={styles.sections}>{sections(advanced)}</div>
        </details>
      )}
    </div>
  )
}

function FormSection({ title, controls }: { title: string | null; controls: JSX.Element[] }) {
  if (title === null) return <div class={styles.fields}>{controls}</div>
  return (
    <fieldset class={styles.group}>
      <legend>{title}</legend>
      <div class={styles.fields}>{controls}</div>
    </fieldset>
  )
}

const CONTROLS: Record<Exclude<ControlKind, 'rows'>, (props: ControlProps) => JSX.Element> = {
  check: CheckControl,
  checks: ChecksControl,
  choice: ChoiceControl,
  select: SelectControl,
  slider: SliderControl,
  number: NumberControl,
  time: TimeControl,
  date: DateControl,
  color: ColorControl,
  file: FileControl,
  position: PositionControl,
  multiline: MultilineControl,
  text: TextControl,
}

function FieldControl({ faultAt, ...props }: ControlProps & Pick<FormSectionsProps, 'faultAt'>) {
  const { field } = props
  const kind = controlKind(field)
  if (kind === null) return null
  const fault = faultAt(field.key)
  const Control = kind === 'rows' ? null : CONTROLS[kind]
  return (
    <div class={kind === 'rows' ? styles.wide : undefined} data-field={field.key}>
      {Control !== null ? (
        <Control {...props} fault={fault} />
      ) : (
        <RowsControl
          {...props}
          fault={fault}
          renderRow={(row, index, onChange) => (
            <FormSections
              fields={field.fields ?? []}
              params={row}
              onChange={onChange}
              faultAt={(path) => faultAt(`${field.key}.${index}.${path}`)}
            />
          )}
        />
      )}
    </div>
  )
}
