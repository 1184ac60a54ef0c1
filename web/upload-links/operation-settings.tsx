import { SelectField } from '../design/field.tsx'
import { OperationForm, type Params } from '../studio/form/operation-form.tsx'
import { matchingPreset } from '../studio/form/sent-params.ts'
import type { Tool } from '../studio/tools.ts'
import { defineTexts } from '../text/define-texts.ts'
import styles from './upload-links.module.css'

const texts = defineTexts({
  en: { preset: 'Preset', own: 'Own settings', settings: 'Settings of the operation' },
  uk: { preset: 'Пресет', own: 'Власні налаштування', settings: 'Налаштування операції' },
  ru: { preset: 'Пресет', own: 'Свои настройки', settings: 'Настройки операции' },
})

const OWN = 'own'

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
  const matching = matchingPreset(tool, params)
  const is_needed = showsFaults || Object.keys(refusals).length > 0 || fields.some(({ required }) => required)
  return (
    <>
      {presets.length > 0 && (
        <SelectField
          label={t.preset}
          options={[
            ...presets.map(({ label }, index) => ({ value: String(index), label })),
            ...(matching === null ? [{ value: OWN, label: t.own }] : []),
          ]}
          value={matching === null ? OWN : String(matching)}
          onChange={({ currentTarget: { value } }) => onChange(presets[Number(value)]?.params ?? params)}
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
