import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { MediaError, UploadLinkState } from '../../client/src/index.ts'
import { describeError } from '../api/media.ts'
import { Notice, Skeleton } from '../design/surfaces.tsx'
import { Page } from '../shell/page.tsx'
import { defineTexts } from '../text/define-texts.ts'
import styles from './send.module.css'
import { isRunning, useFileState } from './use-sending.ts'

const texts = defineTexts({
  en: {
    closed: 'This link does not accept files',
    arrived: 'Your file has arrived',
    processing: 'It is being processed. You may close this page.',
    starting: 'Its processing starts now. Leave this page open.',
    stay: 'Leave this page open.',
    done: 'Done',
    done_text: 'Your file was processed. The person who sent you this link has the result.',
    canceled: 'Canceled',
    canceled_text: 'The person who sent you this link canceled the job.',
    expired: 'This link has expired',
    failed: 'Something went wrong',
    failed_text: 'The file could not be processed.',
    ask: 'Ask the person who sent you this link for a new one.',
  },
  uk: {
    closed: 'Це посилання не приймає файли',
    arrived: 'Файл отримано',
    processing: 'Він обробляється. Сторінку можна закрити.',
    starting: 'Зараз почнеться обробка. Не закривайте сторінку.',
    stay: 'Не закривайте сторінку.',
    done: 'Готово',
    done_text: 'Файл оброблено. Результат має той, хто надіслав вам посилання.',
    canceled: 'Скасовано',
    canceled_text: 'Той, хто надіслав вам посилання, скасував завдання.',
    expired: 'Строк дії посилання минув',
    failed: 'Щось пішло не так',
    failed_text: 'Файл не вдалося обробити.',
    ask: 'Попросіть нове посилання в того, хто його надіслав.',
  },
  ru: {
    closed: 'Эта ссылка не принимает файлы',
    arrived: 'Файл получен',
    processing: 'Он обрабатывается. Страницу можно закрыть.',
    starting: 'Сейчас начнется обработка. Не закрывайте страницу.',
    stay: 'Не закрывайте страницу.',
    done: 'Готово',
    done_text: 'Файл обработан. Результат у того, кто прислал вам ссылку.',
    canceled: 'Отменено',
    canceled_text: 'Тот, кто прислал вам ссылку, отменил задание.',
    expired: 'Срок действия ссылки истек',
    failed: 'Что-то пошло не так',
    failed_text: 'Файл не удалось обработать.',
    ask: 'Попросите новую ссылку у того, кто ее прислал.',
  },
})

interface OutcomeProps {
  title: string
  kind: 'info' | 'good' | 'bad'
  help?: string | null
  children: ComponentChildren
}

/** The only content of the page once no file can be chosen. It takes the focus, which was on a button that is gone. */
function Outcome({ title, kind, help, children }: OutcomeProps) {
  const outcome = useRef<HTMLDivElement>(null)
  useEffect(() => outcome.current?.focus(), [])
  return (
    <Page title={title} isNarrow>
      <div ref={outcome} class={styles.outcome} tabIndex={-1}>
        <Notice kind={kind} help={help}>
          {children}
        </Notice>
      </div>
    </Page>
  )
}

/** A link that is unknown, has expired, or was withdrawn; or a service that cannot be reached. */
export function ClosedLink({ error, children }: { error: unknown; children?: ComponentChildren }) {
  const t = texts()
  const is_closed = error === null || (error as MediaError).status > 0
  return (
    <Outcome title={is_closed ? t.closed : t.failed} kind="bad">
      {children ?? describeError(error).message}
    </Outcome>
  )
}

/** A file that has arrived, but whose job has not started: the service has to be asked again. */
export function StoredFile({ wait }: { wait: MediaError | null }) {
  const t = texts()
  return (
    <Outcome title={t.arrived} kind="info" help={wait && t.stay}>
      {wait === null ? t.starting : describeError(wait).message}
    </Outcome>
  )
}

/** The state of a file that has arrived, until its job ends. */
export function FileState({ token }: { token: string }) {
  const { data, error } = useFileState(token)
  if (data !== undefined) return <Outcome {...describeState(data)} />
  if (error !== null) return <ClosedLink error={error} />
  return (
    <Page title={texts().arrived} isNarrow>
      <Skeleton height="4rem" />
    </Page>
  )
}

function describeState(state: UploadLinkState): OutcomeProps {
  const t = texts()
  if (isRunning(state)) return { title: t.arrived, kind: 'info', children: t.processing }
  switch (state.status) {
    case 'done':
      return { title: t.done, kind: 'good', children: t.done_text }
    case 'canceled':
      return { title: t.canceled, kind: 'bad', children: t.canceled_text }
    case 'expired':
      return { title: t.expired, kind: 'bad', children: t.ask }
    default:
      return { title: t.failed, kind: 'bad', help: t.ask, children: state.error ?? t.failed_text }
  }
}
