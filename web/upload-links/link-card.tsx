import { useState } from 'preact/hooks'
import type { UploadSession } from '../../client/src/index.ts'
import { Button } from '../design/button.tsx'
import { CopyButton } from '../design/copy-button.tsx'
import { Notice } from '../design/surfaces.tsx'
import { findTool, nameOf } from '../studio/tools.ts'
import { useTools } from '../studio/use-tools.ts'
import { defineTexts } from '../text/define-texts.ts'
import { formatBytes, formatDateTime } from '../text/format.ts'
import { describeFiles } from '../text/media-types.ts'
import { findUrl } from './kept-links.ts'
import { ReceivedFiles } from './received-files.tsx'
import { SessionState } from './session-state.tsx'
import styles from './upload-links.module.css'
import { isAccepting } from './use-sessions.ts'
import { WithdrawDialog } from './withdraw-dialog.tsx'

const texts = defineTexts({
  en: {
    accepts: (types: string, size: string) => `Accepts ${types}, up to ${size}`,
    created: (time: string) => `Created ${time}`,
    expires: (time: string) => `Expires ${time}`,
    job: 'Show the job',
    withdraw: 'Withdraw',
    elsewhere:
      'The service does not store the address of the link, so only the browser that created it can copy it.',
    another: 'Create a new link',
  },
  uk: {
    accepts: (types: string, size: string) => `Приймає ${types}, до ${size}`,
    created: (time: string) => `Створено ${time}`,
    expires: (time: string) => `Діє до ${time}`,
    job: 'Показати завдання',
    withdraw: 'Відкликати',
    elsewhere:
      'Сервіс не зберігає адресу посилання, тому скопіювати її може лише браузер, у якому його створено.',
    another: 'Створити нове посилання',
  },
  ru: {
    accepts: (types: string, size: string) => `Принимает ${types}, до ${size}`,
    created: (time: string) => `Создана ${time}`,
    expires: (time: string) => `Действует до ${time}`,
    job: 'Показать задание',
    withdraw: 'Отозвать',
    elsewhere:
      'Сервис не хранит адрес ссылки, поэтому скопировать его может только браузер, в котором ее создали.',
    another: 'Создать новую ссылку',
  },
})

/** An upload link: what for, its state, what came in, and what its owner can do with it. */
export function LinkCard({ session }: { session: UploadSession }) {
  const t = texts()
  const { data: tools } = useTools()
  const [isWithdrawing, setWithdrawing] = useState(false)
  const { note, error, result, job_id, allowed_mime_types, max_size_bytes, created_at, expires_at } = session
  const is_accepting = isAccepting(session)
  const url = is_accepting ? findUrl(session.id) : null
  const title = findTool(tools ?? [], nameOf(session))?.title ?? session.operation_key
  return (
    <li class={styles.card}>
      <header class={styles.header}>
        <h2 class={styles.title}>{title}</h2>
        <SessionState session={session} />
      </header>
      {note && <p class={styles.note}>{note}</p>}
      {error && <Notice kind="bad">{error}</Notice>}
      {result && <ReceivedFiles result={result} />}
      <ul class={styles.facts}>
        {is_accepting && <li>{t.accepts(describeFiles(allowed_mime_types), formatBytes(max_size_bytes))}</li>}
        <li>{t.created(formatDateTime(created_at))}</li>
        {is_accepting && <li>{t.expires(formatDateTime(expires_at))}</li>}
        {job_id !== null && (
          <li>
            <a href={`/jobs/${job_id}`}>{t.job}</a>
          </li>
        )}
      </ul>
      {is_accepting && (
        <div class={styles.actions}>
          {url && <CopyButton text={url} />}
          <Button onClick={() => setWithdrawing(true)}>{t.withdraw}</Button>
          {url === null && (
            <span class={styles.quiet}>
              {t.elsewhere} <a href="/upload-links/new">{t.another}</a>
            </span>
          )}
        </div>
      )}
      {isWithdrawing && <WithdrawDialog session={session} onClose={() => setWithdrawing(false)} />}
    </li>
  )
}
