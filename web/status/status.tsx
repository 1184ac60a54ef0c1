import { useQuery } from '@tanstack/preact-query'
import { CircleCheck, CircleHelp, CircleX } from 'lucide-preact'
import { useConfig } from '../api/config.ts'
import { classes } from '../design/classes.ts'
import { Card, Notice, Skeleton } from '../design/surfaces.tsx'
import { Page } from '../shell/page.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatTime } from '../text/format.ts'
import { type PartState, readStatus } from './read-status.ts'
import styles from './status.module.css'

const REFRESH_MS = 30_000

const texts = defineTexts({
  en: {
    title: 'Status',
    api: 'Site and API',
    database: 'Accounts and database',
    processing: 'File processing',
    ok: 'Works',
    down: 'Does not respond',
    unknown: 'Unknown',
    all_ok: 'Everything works.',
    some_down: 'Some parts do not work at the moment. Jobs that wait are not lost.',
    checked: (time: string) => `Checked at ${time}, again every 30 seconds.`,
    maintenance: 'Maintenance is in progress.',
  },
  uk: {
    title: 'Стан сервісу',
    api: 'Сайт і API',
    database: 'Облікові записи й база даних',
    processing: 'Обробка файлів',
    ok: 'Працює',
    down: 'Не відповідає',
    unknown: 'Невідомо',
    all_ok: 'Усе працює.',
    some_down: 'Деякі частини зараз не працюють. Завдання в черзі не пропадуть.',
    checked: (time: string) => `Перевірено о ${time}, далі — кожні 30 секунд.`,
    maintenance: 'Тривають технічні роботи.',
  },
  ru: {
    title: 'Состояние сервиса',
    api: 'Сайт и API',
    database: 'Аккаунты и база данных',
    processing: 'Обработка файлов',
    ok: 'Работает',
    down: 'Не отвечает',
    unknown: 'Неизвестно',
    all_ok: 'Все работает.',
    some_down: 'Некоторые части сейчас не работают. Задания в очереди не пропадут.',
    checked: (time: string) => `Проверено в ${time}, далее — каждые 30 секунд.`,
    maintenance: 'Идут технические работы.',
  },
})

const ICONS = { ok: CircleCheck, down: CircleX, unknown: CircleHelp }
const PARTS = ['api', 'database', 'processing'] as const

/** Whether each part of the service works now. */
export default function Status() {
  const t = texts()
  const { data, dataUpdatedAt } = useQuery({
    queryKey: ['status'],
    queryFn: readStatus,
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  })
  const config = useConfig().data
  const isFine = data && PARTS.every((part) => data[part] === 'ok')
  return (
    <Page title={t.title} isNarrow>
      <div class={styles.content}>
        {config?.maintenance && <Notice>{config.maintenance_message || t.maintenance}</Notice>}
        {data === undefined && <Skeleton height="18rem" />}
        {data && (
          <>
            <Notice kind={isFine ? 'good' : 'bad'}>{isFine ? t.all_ok : t.some_down}</Notice>
            <Card>
              <dl class={styles.parts}>
                {PARTS.map((part) => (
                  <div key={part}>
                    <dt>{t[part]}</dt>
                    <State state={data[part]} />
                  </div>
                ))}
              </dl>
            </Card>
            <p class={styles.quiet}>{t.checked(formatTime(dataUpdatedAt))}</p>
          </>
        )}
      </div>
    </Page>
  )
}

function State({ state }: { state: PartState }) {
  const Icon = ICONS[state]
  return (
    <dd class={classes(styles.state, styles[state])}>
      <Icon size={18} aria-hidden />
      {texts()[state]}
    </dd>
  )
}
