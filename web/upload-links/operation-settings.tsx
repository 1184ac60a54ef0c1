import { SelectField } from '../design/field.tsx'
import { formFields } from '../studio/form/form-fields.ts'
import { OperationForm, type Params } from '../studio/form/operation-form.tsx'
import { presetChoice } from '../studio/form/presets.ts'
import type { Tool } from '../studio/tools.ts'
import { defineTexts } from '../text/define-texts.ts'
import styles from './upload-links.module.css'

const texts = defineTexts({
  en: { preset: 'Preset', settings: 'Settings of the operation' },
  uk: { preset: 'Пресет', settings: 'Налаштування операції' },
  ru: { preset: 'Пресет', settings: 'Настройки операции' },
})

interface SettingsProps {
  tool: Tool
  params: Params
  onChange: (params: Params) => void
  /** True once the owner has tried to create the link. */
  showsFaults: boolean
  refusals: Readonly<Record<string, string>>
}

/** A preset, and below it every parameter. It opens by itself if the operation does not run without settings. */
export function OperationSettings({ tool, params, onChange, showsFaults, refusals }: SettingsProps) {
  const t = texts()
  const { presets, fields } = tool.config
  const { options, value, paramsOf } = presetChoice(tool, params)
  const is_needed =
    showsFaults || Object.keys(refusals).length > 0 || formFields(tool).some(({ required }) => required)
  return (
    <>
      {presets.length > 0 && (
        <SelectField
          label={t.preset}
          options={options}
          value={value}
          onChange={({ currentTarget }) => onChange(paramsOf(currentTarget.value))}
        />
      )}
      {fields.length > 0 && (
        <details class={styles.more} open={is_needed || undefined}>
          <summary>{t.settings}</summary>
          <OperationForm {...{ tool, params, onChange, showsFaults, refusals }} />
        </details>
      )}
    </>
  )
}
