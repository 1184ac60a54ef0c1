import { useMutation } from '@tanstack/preact-query'
import { useState } from 'preact/hooks'
import type { ApiKey } from '../../../client/src/index.ts'
import { media } from '../../api/media.ts'
import { Button } from '../../design/button.tsx'
import { ConfirmDialog } from '../../design/confirm-dialog.tsx'
import { ErrorNotice } from '../../design/surfaces.tsx'
import { defineTexts } from '../../text/define-texts.ts'
import { formatDateTime } from '../../text/format.ts'
import { isolate } from '../../text/isolate.ts'
import panel from '../panel.module.css'
import styles from './keys.module.css'

const texts = defineTexts({
  en: {
    unnamed: 'Unnamed key',
    used: (time: string) => `last used ${time}`,
    unused: 'never used',
    paused: 'Paused',
    revoked: 'Revoked by an administrator',
    pause: 'Pause',
    resume: 'Resume',
    remove: 'Delete',
    remove_title: (name: string) => `Delete “${name}”?`,
    remove_text: 'Programs that use this key lose access at once. The key cannot be restored.',
    remove_action: 'Delete the key',
  },
  uk: {
    unnamed: 'Ключ без назви',
    used: (time: string) => `востаннє використано ${time}`,
    unused: 'ще не використано',
    paused: 'Призупинено',
    revoked: 'Відкликано адміністратором',
    pause: 'Призупинити',
    resume: 'Відновити',
    remove: 'Видалити',
    remove_title: (name: string) => `Видалити «${name}»?`,
    remove_text: 'Програми з цим ключем одразу втратять доступ. Відновити ключ неможливо.',
    remove_action: 'Видалити ключ',
  },
  ru: {
    unnamed: 'Ключ без названия',
    used: (time: string) => `последнее использование: ${time}`,
    unused: 'еще не использован',
    paused: 'Приостановлен',
    revoked: 'Отозван администратором',
    pause: 'Приостановить',
    resume: 'Возобновить',
    remove: 'Удалить',
    remove_title: (name: string) => `Удалить «${name}»?`,
    remove_text: 'Программы с этим ключом сразу потеряют доступ. Восстановить ключ нельзя.',
    remove_action: 'Удалить ключ',
  },
})

/** One key: its name, state and last use, with what can be done to it. */
export function KeyRow({ apiKey, onChange }: { apiKey: ApiKey; onChange: () => Promise<unknown> }) {
  const t = texts()
  const [isAsking, setAsking] = useState(false)
  const { id, enabled, revoked, prefix, last_used_at } = apiKey
  const name = apiKey.name ?? t.unnamed
  const toggle = useMutation({ mutationFn: () => media.value.apiKeys.toggle(id), onSuccess: onChange })
  const remove = async () => {
    await media.value.apiKeys.delete(id)
    await onChange()
  }
  return (
    <li>
      <div class={styles.key}>
        <p class={styles.name}>
          <bdi>{name}</bdi>
          {revoked && <span class={styles.state}>{t.revoked}</span>}
          {!revoked && !enabled && <span class={styles.state}>{t.paused}</span>}
        </p>
        <p class={panel.quiet}>
          <code>{prefix}…</code> · {last_used_at ? t.used(formatDateTime(last_used_at)) : t.unused}
        </p>
      </div>
      {!revoked && (
        <div class={styles.buttons}>
          <Button
            isBusy={toggle.isPending}
            aria-label={`${enabled ? t.pause : t.resume}: ${isolate(name)}`}
            onClick={() => toggle.mutate()}
          >
            {enabled ? t.pause : t.resume}
          </Button>
          <Button look="danger" aria-label={`${t.remove}: ${isolate(name)}`} onClick={() => setAsking(true)}>
            {t.remove}
          </Button>
        </div>
      )}
      {toggle.error && <ErrorNotice error={toggle.error} />}
      {isAsking && (
        <ConfirmDialog
          title={t.remove_title(isolate(name))}
          action={t.remove_action}
          confirm={remove}
          onClose={() => setAsking(false)}
        >
          {t.remove_text}
        </ConfirmDialog>
      )}
    </li>
  )
}
