import { Film } from 'lucide-preact'
import { useLocation } from 'preact-iso'
import type { Job } from '../../client/src/index.ts'
import { SignedIn } from '../account/signed-in.tsx'
import { media } from '../api/media.ts'
import { usePages } from '../api/pages.ts'
import { Button, LinkButton } from '../design/button.tsx'
import { RetryNotice } from '../design/retry-notice.tsx'
import { Segmented } from '../design/segmented.tsx'
import { EmptyState, Skeleton } from '../design/surfaces.tsx'
import { Page } from '../shell/page.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { JobRow } from './job-row.tsx'
import { FILTERS, type Filter, readFilter, statesOf } from './job-state.ts'
import styles from './jobs.module.css'

const texts = defineTexts({
  en: {
    title: 'Jobs',
    filter: 'Show',
    all: 'All',
    open: 'In progress',
    done: 'Done',
    failed: 'Failed',
    canceled: 'Canceled',
    more: 'Load more',
    empty: 'No jobs yet',
    empty_text: 'A job is one file that a tool of the studio, or your program, works on.',
    studio: 'Open the studio',
    none: 'No jobs like this',
    none_text: 'Choose another filter to see the rest.',
  },
  uk: {
    title: 'Завдання',
    filter: 'Показати',
    all: 'Усі',
    open: 'Виконуються',
    done: 'Готові',
    failed: 'Невдалі',
    canceled: 'Скасовані',
    more: 'Показати ще',
    empty: 'Завдань іще немає',
    empty_text: 'Завдання — це один файл, який обробляє інструмент студії або ваша програма.',
    studio: 'Відкрити студію',
    none: 'Таких завдань немає',
    none_text: 'Виберіть інший фільтр, щоб побачити решту.',
  },
  ru: {
    title: 'Задания',
    filter: 'Показать',
    all: 'Все',
    open: 'Выполняются',
    done: 'Готовые',
    failed: 'Неудачные',
    canceled: 'Отмененные',
    more: 'Показать еще',
    empty: 'Заданий пока нет',
    empty_text: 'Задание — это один файл, который обрабатывает инструмент студии или ваша программа.',
    studio: 'Открыть студию',
    none: 'Таких заданий нет',
    none_text: 'Выберите другой фильтр, чтобы увидеть остальные.',
  },
})

const ROWS = 20

export default function JobsPage() {
  return (
    <SignedIn>
      <Jobs />
    </SignedIn>
  )
}

/** The jobs of the account, newest first, narrowed by the filter in the address. */
function Jobs() {
  const t = texts()
  const { query, route } = useLocation()
  const filter = readFilter(query.status)
  const options = FILTERS.map((value) => ({ value, label: t[value] }))
  return (
    <Page title={t.title}>
      <div class={styles.filters}>
        <Segmented
          label={t.filter}
          options={options}
          value={filter}
          onChange={(next) => route(next === 'all' ? '/jobs' : `/jobs?status=${next}`, true)}
        />
      </div>
      <JobList filter={filter} />
    </Page>
  )
}

function JobList({ filter }: { filter: Filter }) {
  const t = texts()
  const status = statesOf(filter)
  const list = usePages<Job>(
    [filter],
    (limit) => media.value.jobs.list({ limit, mine: true, ...(status && { status }) }),
    ROWS,
  )
  const { items } = list
  return (
    <>
      {list.isPending && (
        <div class={styles.list}>
          {Array.from({ length: 5 }, (_, index) => (
            <Skeleton key={index} height="5.5rem" />
          ))}
        </div>
      )}
      {items?.length === 0 && !list.hasMore && <NoJobs isFiltered={filter !== 'all'} />}
      {items && items.length > 0 && (
        <ul class={styles.list}>
          {items.map((job) => (
            <JobRow key={job.id} listed={job} />
          ))}
        </ul>
      )}
      {list.error !== null && <RetryNotice error={list.error} onRetry={list.retry} />}
      {list.hasMore && (
        <Button isBusy={list.isLoadingMore} onClick={list.loadMore}>
          {t.more}
        </Button>
      )}
    </>
  )
}

function NoJobs({ isFiltered }: { isFiltered: boolean }) {
  const t = texts()
  return (
    <EmptyState
      icon={<Film size={40} aria-hidden />}
      title={isFiltered ? t.none : t.empty}
      action={
        isFiltered ? undefined : (
          <LinkButton look="primary" href="/studio">
            {t.studio}
          </LinkButton>
        )
      }
    >
      {isFiltered ? t.none_text : t.empty_text}
    </EmptyState>
  )
}
