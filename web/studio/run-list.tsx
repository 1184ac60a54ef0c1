import { untracked, useComputed } from '@preact/signals'
import { useMutation } from '@tanstack/preact-query'
import { RotateCcw, Trash2, X } from 'lucide-preact'
import { useEffect } from 'preact/hooks'
import { owner } from '../api/session.ts'
import { Button, IconButton } from '../design/button.tsx'
import { Card, ErrorNotice, ProgressBar } from '../design/surfaces.tsx'
import { JobFailure } from '../jobs/job-failure.tsx'
import { announceRuns } from '../results/announce-runs.ts'
import { DownloadAll } from '../results/download-all.tsx'
import { JobResult } from '../results/job-result.tsx'
import { NotifySwitch } from '../results/notify-switch.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatDuration, formatNumber, formatPercent } from '../text/format.ts'
import styles from './run-list.module.css'
import { titleOf } from './tools.ts'
import { useTools } from './use-tools.ts'
import { items, type Run, updateRun, type WorkItem } from './workspace/items.ts'
import { removeRun } from './workspace/remove.ts'
import { cancelRun, isUnsent, listFailed, repeatRun, retryFailed } from './workspace/run-items.ts'
import { hasFailed, isHeld, isOpen, remainingSeconds } from './workspace/schedule.ts'
import { forgetUpload } from './workspace/upload-items.ts'

const texts = defineTexts({
  en: {
    title: 'Results',
    waiting: 'Waiting for the upload',
    queued: 'Queued',
    processing: (percent: string) => `Processing, ${percent}`,
    left: (time: string) => `${time} left`,
    done: 'Done',
    failed: 'Failed',
    canceled: 'Canceled',
    cancel: 'Cancel',
    repeat: 'Run again',
    retry: 'Try again',
    retry_all: (count: string) => `Retry the failed (${count})`,
    remove: 'Remove from the list',
    held: 'Waiting for a sign-in',
  },
  uk: {
    title: 'Результати',
    waiting: 'Очікує на завантаження файлу',
    queued: 'У черзі',
    processing: (percent: string) => `Обробка, ${percent}`,
    left: (time: string) => `залишилося ${time}`,
    done: 'Готово',
    failed: 'Помилка',
    canceled: 'Скасовано',
    cancel: 'Скасувати',
    repeat: 'Запустити знову',
    retry: 'Спробувати ще раз',
    retry_all: (count: string) => `Повторити невдалі (${count})`,
    remove: 'Прибрати зі списку',
    held: 'Очікує на вхід',
  },
  ru: {
    title: 'Результаты',
    waiting: 'Ожидает загрузки файла',
    queued: 'В очереди',
    processing: (percent: string) => `Обработка, ${percent}`,
    left: (time: string) => `осталось ${time}`,
    done: 'Готово',
    failed: 'Ошибка',
    canceled: 'Отменено',
    cancel: 'Отменить',
    repeat: 'Запустить снова',
    retry: 'Попробовать снова',
    retry_all: (count: string) => `Повторить неудачные (${count})`,
    remove: 'Убрать из списка',
    held: 'Ожидает входа',
  },
})

const listRuns = () => items.value.flatMap((item) => item.runs.value.map((run) => ({ item, id: run.id })))

/** What was done with the inputs, newest first. */
export function RunList() {
  useEffect(announceRuns, [])
  // Progress of a run concerns its card, not the list.
  const ids = useComputed(() =>
    listRuns()
      .map(({ id }) => id)
      .join(' '),
  )
  if (ids.value === '') return null
  return (
    <section class={styles.list} aria-label={texts().title}>
      <header class={styles.title}>
        <h2>{texts().title}</h2>
        <RetryFailed />
        <Downloads />
      </header>
      <NotifySwitch />
      {untracked(listRuns)
        .reverse()
        .map(({ item, id }) => (
          <RunCard key={id} {...{ item, id }} />
        ))}
    </section>
  )
}

function Downloads() {
  const runs = items.value.flatMap(({ runs: { value } }) => value).reverse()
  return <DownloadAll jobs={runs.flatMap(({ job }) => job ?? [])} />
}

function RetryFailed() {
  const count = useComputed(() => listFailed().length).value
  if (count < 2) return null
  return (
    <Button onClick={retryFailed}>
      <RotateCcw size={18} aria-hidden />
      {texts().retry_all(formatNumber(count))}
    </Button>
  )
}

function RunCard({ item, id }: { item: WorkItem; id: string }) {
  const run = item.runs.value.find((each) => each.id === id)
  return run === undefined ? null : <ShownRun item={item} run={run} />
}

function ShownRun({ item, run }: { item: WorkItem; run: Run }) {
  const t = texts()
  const { data: tools } = useTools()
  const { job, error } = run
  const title = titleOf(tools ?? [], run.operation)
  const is_open = isOpen(run)
  const cancel = useMutation({ mutationFn: () => cancelRun(item, run) })
  return (
    <Card>
      <header class={styles.header}>
        <div>
          <h3>{title}</h3>
          <p class={styles.state}>
            <bdi>{item.name}</bdi> · {describeState(item, run)}
          </p>
        </div>
        <span class={styles.buttons}>
          {is_open ? (
            <IconButton
              label={t.cancel}
              disabled={(job === null && !isUnsent(run)) || cancel.isPending}
              onClick={() => (job === null ? removeRun(item, run.id) : cancel.mutate())}
            >
              <X size={18} aria-hidden />
            </IconButton>
          ) : (
            <>
              <IconButton label={hasFailed(run) ? t.retry : t.repeat} onClick={() => repeatRun(item, run)}>
                <RotateCcw size={18} aria-hidden />
              </IconButton>
              <IconButton label={t.remove} onClick={() => removeRun(item, run.id)}>
                <Trash2 size={18} aria-hidden />
              </IconButton>
            </>
          )}
        </span>
      </header>
      {is_open && <ProgressBar fraction={job === null ? null : job.progress / 100} label={title} />}
      {error !== null && <ErrorNotice error={error} />}
      {is_open && cancel.error && <ErrorNotice error={cancel.error} />}
      {job?.status === 'failed' && <JobFailure job={job} />}
      {job?.status === 'done' && (
        <JobResult
          job={job}
          source={item.file.value}
          onJob={(changed) => {
            updateRun(item, run.id, { job: changed })
            forgetUpload(item)
          }}
        />
      )}
    </Card>
  )
}

function describeState({ upload }: WorkItem, run: Run): string {
  const t = texts()
  const { job, error } = run
  if (error !== null) return t.failed
  if (isHeld(run, owner.value)) return t.held
  // Further runs wait in the browser while as many as are allowed are open.
  if (job === null) return upload.value.status === 'done' ? t.queued : t.waiting
  if (job.status !== 'processing') return t[job.status]
  const percent = t.processing(formatPercent(job.progress / 100))
  const elapsed_seconds = (Date.now() - Date.parse(job.started_at ?? job.created_at)) / 1000
  const seconds = remainingSeconds(job.progress, elapsed_seconds)
  return seconds === null ? percent : `${percent}, ${t.left(formatDuration(seconds))}`
}
