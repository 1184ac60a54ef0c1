import { useMutation } from '@tanstack/preact-query'
import { useRef, useState } from 'preact/hooks'
import type { UploadSessionCreate, UploadSessionCreated } from '../../client/src/index.ts'
import { faultsByField } from '../api/faults.ts'
import { media, queries } from '../api/media.ts'
import { Button } from '../design/button.tsx'
import { SelectField, TextArea } from '../design/field.tsx'
import { ErrorNotice } from '../design/surfaces.tsx'
import { findFaults } from '../studio/form/find-faults.ts'
import { formFields, type Params } from '../studio/form/form-fields.ts'
import { commonParams } from '../studio/form/presets.ts'
import { refusalsOf } from '../studio/form/refusals.ts'
import { sentParams } from '../studio/form/sent-params.ts'
import type { Tool } from '../studio/tools.ts'
import { defineTexts } from '../text/define-texts.ts'
import { formatCount } from '../text/format.ts'
import { keepUrl } from './kept-links.ts'
import { LIMIT_FIELDS, LinkLimits } from './link-limits.tsx'
import { DAY_S, type LinkDraft, makeRequest } from './link-request.ts'
import { OperationSettings } from './operation-settings.tsx'
import styles from './upload-links.module.css'
import { SESSIONS_KEY } from './use-sessions.ts'

const texts = defineTexts({
  en: {
    expires: 'Valid for',
    hours: (count: number) => formatCount(count, { one: '# hour', other: '# hours' }),
    days: (count: number) => formatCount(count, { one: '# day', other: '# days' }),
    note: 'Note to the sender',
    note_hint: 'Optional. The person who opens the link sees it.',
    create: 'Create the link',
  },
  uk: {
    expires: 'Діє',
    hours: (count: number) =>
      formatCount(count, { one: '# годину', few: '# години', many: '# годин', other: '# години' }),
    days: (count: number) =>
      formatCount(count, { one: '# день', few: '# дні', many: '# днів', other: '# дня' }),
    note: 'Примітка для відправника',
    note_hint: 'Необов’язково. Її побачить той, хто відкриє посилання.',
    create: 'Створити посилання',
  },
  ru: {
    expires: 'Действует',
    hours: (count: number) =>
      formatCount(count, { one: '# час', few: '# часа', many: '# часов', other: '# часа' }),
    days: (count: number) =>
      formatCount(count, { one: '# день', few: '# дня', many: '# дней', other: '# дня' }),
    note: 'Примечание для отправителя',
    note_hint: 'Необязательно. Его увидит тот, кто откроет ссылку.',
    create: 'Создать ссылку',
  },
})

const HOUR_S = 3600
const NOTE_LENGTH_MAX = 500
/** Fields of the request that show their own faults. */
const OWN_FIELDS = ['expires_in', 'note', ...LIMIT_FIELDS]

interface LinkFormProps {
  tool: Tool
  draft: LinkDraft
  onChange: (part: Partial<LinkDraft>) => void
  onCreated: (created: UploadSessionCreated) => void
}

/** Everything about a link but its operation. */
export function LinkForm({ tool, draft, onChange, onCreated }: LinkFormProps) {
  const t = texts()
  const form = useRef<HTMLFormElement>(null)
  const [params, setParams] = useState<Params>(() => commonParams(tool))
  const [showsFaults, setShowsFaults] = useState(false)
  const { mutate, error, isPending } = useCreation(onCreated)
  const refusals = refusalsOf([error])
  const faults = faultsByField(error)
  const is_at_field = Object.keys(refusals).length > 0 || OWN_FIELDS.some((name) => faults[name])
  const fields = formFields(tool)

  const submit = (event: Event) => {
    event.preventDefault()
    if (isPending) return
    const { service_slug, operation_key } = tool
    setShowsFaults(true)
    if (Object.keys(findFaults(fields, params)).length === 0) {
      mutate(makeRequest({ service_slug, operation_key, params: sentParams(fields, params) }, draft))
      return
    }
    // The faults are shown by the next render.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus())
  }

  return (
    // The browser cannot show its own faults in a closed part of the form.
    <form ref={form} class={styles.form} noValidate onSubmit={submit}>
      <OperationSettings {...{ tool, params, refusals, showsFaults }} onChange={setParams} />
      <SelectField
        label={t.expires}
        options={[
          ...[1, 12].map((count) => ({ value: String(count * HOUR_S), label: t.hours(count) })),
          ...[1, 3, 7].map((count) => ({ value: String(count * DAY_S), label: t.days(count) })),
        ]}
        value={draft.expires_in}
        fault={faults.expires_in}
        onChange={({ currentTarget }) => onChange({ expires_in: currentTarget.value })}
      />
      <TextArea
        label={t.note}
        hint={t.note_hint}
        fault={faults.note}
        rows={3}
        maxLength={NOTE_LENGTH_MAX}
        value={draft.note}
        onInput={({ currentTarget }) => onChange({ note: currentTarget.value })}
      />
      <LinkLimits {...{ tool, draft, faults, onChange }} />
      {error && !is_at_field && <ErrorNotice error={error} />}
      <div class={styles.actions}>
        <Button type="submit" look="primary" isBusy={isPending}>
          {t.create}
        </Button>
      </div>
    </form>
  )
}

function useCreation(onCreated: LinkFormProps['onCreated']) {
  return useMutation({
    mutationFn: (request: UploadSessionCreate) => media.value.uploadSessions.create(request),
    onSuccess: (created) => {
      keepUrl(created.id, created.upload_url)
      void queries.invalidateQueries({ queryKey: SESSIONS_KEY })
      onCreated(created)
    },
  })
}
