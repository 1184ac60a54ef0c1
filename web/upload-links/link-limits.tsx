import { useConfig } from '../api/config.ts'
import { CheckField, FieldGroup, TextField } from '../design/field.tsx'
import type { Tool } from '../studio/tools.ts'
import { defineTexts } from '../text/define-texts.ts'
import { formatBytes } from '../text/format.ts'
import { describeTypes } from '../text/media-types.ts'
import type { LinkDraft } from './link-request.ts'
import { formatsOf } from './type-choices.ts'
import styles from './upload-links.module.css'

const texts = defineTexts({
  en: {
    more: 'Limits and webhook',
    types: 'Accepted formats',
    all: (types: string) => `None chosen: any ${types}.`,
    size: 'Largest file',
    megabyte: 'MB',
    size_hint: (size: string) => `Empty: ${size}, the limit of the service.`,
    webhook: 'Webhook URL',
    webhook_hint: 'Optional. Receives a signed event when the job ends.',
  },
  uk: {
    more: 'Обмеження та вебхук',
    types: 'Дозволені формати',
    all: (types: string) => `Нічого не вибрано: будь-яке ${types}.`,
    size: 'Найбільший файл',
    megabyte: 'МБ',
    size_hint: (size: string) => `Порожньо: ${size}, обмеження сервісу.`,
    webhook: 'URL вебхука',
    webhook_hint: 'Необов’язково. Отримає підписану подію, коли завдання завершиться.',
  },
  ru: {
    more: 'Ограничения и вебхук',
    types: 'Разрешенные форматы',
    all: (types: string) => `Ничего не выбрано: любое ${types}.`,
    size: 'Самый большой файл',
    megabyte: 'МБ',
    size_hint: (size: string) => `Пусто: ${size}, ограничение сервиса.`,
    webhook: 'URL вебхука',
    webhook_hint: 'Необязательно. Получит подписанное событие, когда задание завершится.',
  },
})

/** Fields of the request that this part of the form shows. */
export const LIMIT_FIELDS = ['allowed_mime_types', 'max_size_bytes', 'webhook_url'] as const

const BYTES_PER_GB = 1024 ** 3
const MB_PER_GB = 1024

interface LinkLimitsProps {
  tool: Tool
  draft: LinkDraft
  faults: Partial<Record<string, string>>
  onChange: (part: Partial<LinkDraft>) => void
}

/** What few owners of links change. Opens by itself if one of its values was refused. */
export function LinkLimits({ tool, draft, faults, onChange }: LinkLimitsProps) {
  const t = texts()
  const { data: config } = useConfig()
  const max_gb = config?.max_upload_gb
  const { types } = draft
  const kinds = tool.accepts.map((kind) => `${kind}/*`)
  const is_refused = LIMIT_FIELDS.some((name) => faults[name])
  const toggle = (type: string, is_chosen: boolean) =>
    onChange({ types: is_chosen ? [...types, type] : types.filter((each) => each !== type) })
  return (
    <details class={styles.more} open={is_refused || undefined}>
      <summary>{t.more}</summary>
      <div class={styles.form}>
        <FieldGroup label={t.types} hint={t.all(describeTypes(kinds))} fault={faults.allowed_mime_types}>
          <div class={styles.types}>
            {formatsOf(tool.accepts).map((type) => (
              <CheckField
                key={type}
                label={describeTypes([type])}
                checked={types.includes(type)}
                onChange={({ currentTarget }) => toggle(type, currentTarget.checked)}
              />
            ))}
          </div>
        </FieldGroup>
        <TextField
          label={t.size}
          hint={max_gb && t.size_hint(formatBytes(max_gb * BYTES_PER_GB))}
          fault={faults.max_size_bytes}
          unit={t.megabyte}
          type="number"
          inputMode="decimal"
          min={1}
          max={max_gb && max_gb * MB_PER_GB}
          step="any"
          value={draft.max_size_mb}
          onInput={({ currentTarget }) => onChange({ max_size_mb: currentTarget.value })}
        />
        <TextField
          label={t.webhook}
          hint={t.webhook_hint}
          fault={faults.webhook_url}
          type="url"
          placeholder="https://"
          value={draft.webhook_url}
          onInput={({ currentTarget }) => onChange({ webhook_url: currentTarget.value })}
        />
      </div>
    </details>
  )
}
