import type { ComponentChildren } from 'preact'
import type { Job } from '../../client/src/index.ts'
import { Card } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatDateTime, formatSeconds } from '../text/format.ts'
import { formatCredits } from '../text/format-credits.ts'
import { costOf, isOpen } from './job-state.ts'
import styles from './jobs.module.css'

const texts = defineTexts({
  en: {
    title: 'Details',
    cost: 'Cost',
    so_far: 'Cost so far',
    time: 'Processing time',
    finished: 'Finished',
    expires: 'Files are deleted',
    source: 'Started',
    web: 'on the site',
    api: 'by API',
    bridge: 'by an upload link',
    template: 'Template',
    tag: 'Tag',
    repeat_of: 'Runs again',
    id: 'Job id',
    settings: 'Settings',
  },
  uk: {
    title: 'Подробиці',
    cost: 'Вартість',
    so_far: 'Вартість зараз',
    time: 'Час обробки',
    finished: 'Завершено',
    expires: 'Файли буде видалено',
    source: 'Запущено',
    web: 'на сайті',
    api: 'через API',
    bridge: 'за посиланням для завантаження',
    template: 'Шаблон',
    tag: 'Мітка',
    repeat_of: 'Повторює завдання',
    id: 'Ідентифікатор',
    settings: 'Налаштування',
  },
  ru: {
    title: 'Подробности',
    cost: 'Стоимость',
    so_far: 'Стоимость сейчас',
    time: 'Время обработки',
    finished: 'Завершено',
    expires: 'Файлы будут удалены',
    source: 'Запущено',
    web: 'на сайте',
    api: 'через API',
    bridge: 'по ссылке для загрузки',
    template: 'Шаблон',
    tag: 'Метка',
    repeat_of: 'Повторяет задание',
    id: 'Идентификатор',
    settings: 'Настройки',
  },
})

/** What is known about a job besides its result. */
export function JobFacts({ job }: { job: Job }) {
  const t = texts()
  const { processing_seconds, finished_at, result, result_purged_at, template, tag, repeat_of } = job
  const facts: [string, ComponentChildren][] = [
    [isOpen(job) ? t.so_far : t.cost, formatCredits(costOf(job))],
    [t.time, processing_seconds !== null && formatSeconds(processing_seconds)],
    [t.finished, finished_at && formatDateTime(finished_at)],
    [t.expires, result && result_purged_at === null && formatDateTime(result.expires_at)],
    [t.source, t[job.source]],
    [t.template, template && `${template.name} (${template.version})`],
    [t.tag, tag],
    [t.repeat_of, repeat_of && <a href={`/jobs/${repeat_of}`}>{repeat_of}</a>],
    [t.id, <code key="id">{job.id}</code>],
  ]
  return (
    <Card>
      <div class={styles.panel}>
        <h2>{t.title}</h2>
        <dl class={styles.facts}>
          {facts.map(
            ([name, value]) =>
              value && (
                <>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </>
              ),
          )}
        </dl>
        <details>
          <summary>{t.settings}</summary>
          <pre class={styles.params}>{JSON.stringify(job.params, null, 2)}</pre>
        </details>
      </div>
    </Card>
  )
}
