import { useMutation } from '@tanstack/preact-query'
import { RotateCcw, X } from 'lucide-preact'
import { useEffect } from 'preact/hooks'
import { describeError } from '../api/media.ts'
import { IconButton } from '../design/button.tsx'
import { Card, ErrorNotice, Notice, ProgressBar } from '../design/surfaces.tsx'
import { JobFailure } from '../jobs/job-failure.tsx'
import { announceRuns } from '../results/announce-runs.ts'
import { DownloadAll } from '../results/download-all.tsx'
import { JobResult } from '../results/job-result.tsx'
import { NotifySwitch } from '../results/notify-switch.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatDuration, formatPercent } from '../text/format.ts'
import styles from './run-list.module.css'
import { titleOf } from './tools.ts'
import { useTools } from './use-tools.ts'
import { items, type Run, updateRun, type WorkItem } from './workspace/items.ts'
import { cancelRun, repeatRun } from './workspace/run-items.ts'
import { isOpen, remainingSeconds } from './workspace/schedule.ts'
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
    repeat: 'Try again',
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
    repeat: 'Спробувати ще раз',
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
    repeat: 'Попробовать снова',
  },
})

/** What was done with the inputs, newest first. */
export function RunList() {
  useEffect(announceRuns, [])
  const runs = items.value
    .flatMap((item) => item.runs.value.map((run, index) => ({ item, run, index })))
    .reverse()
  if (runs.length === 0) return null
  return (
    <section class={styles.list} aria-label={texts().title}>
      <header class={styles.title}>
        <h2>{texts().title}</h2>
        <DownloadAll jobs={runs.flatMap(({ run }) => run.job ?? [])} />
      </header>
      <NotifySwitch />
      {runs.map(({ item, run, index }) => (
        <RunCard key={run.id} {...{ item, run, index }} />
      ))}
    </section>
  )
}

function RunCard({ item, run, index }: { item: WorkItem; run: Run; index: number }) {
  const t = texts()
  const { data: tools } = useTools()
  const { job, error } = run
  const title = titleOf(tools ?? [], run.operation)
  const is_open = isOpen(run)
  const cancel = useMutation({ mutationFn: () => cancelRun(item, index) })
  return (
    <Card>
      <header class={styles.header}>
        <div>
          <h3>{title}</h3>
          <p class={styles.state}>
            {item.name} · {describeState(item, run)}
          </p>
        </div>
        {is_open ? (
          <IconButton
            label={t.cancel}
            disabled={job === null || cancel.isPending}
            onClick={() => cancel.mutate()}
          >
            <X size={18} aria-hidden />
          </IconButton>
        ) : (
          <IconButton label={t.repeat} onClick={() => repeatRun(item, index)}>
            <RotateCcw size={18} aria-hidden />
          </IconButton>
        )}
      </header>
      {is_open && <ProgressBar fraction={job === null ? null : job.progress / 100} label={title} />}
      {error !== null && <Notice kind="bad">{describeError(error).message}</Notice>}
      {is_open && cancel.error && <ErrorNotice error={cancel.error} />}
      {job?.status === 'failed' && <JobFailure job={job} />}
      {job?.status === 'done' && (
        <JobResult
          job={job}
          source={item.file.value}
          onJob={(changed) => {
            updateRun(item, index, { job: changed })
            forgetUpload(item)
          }}
        />
      )}
    </Card>
  )
}

function describeState({ upload }: WorkItem, { job, error }: Run): string {
  const t = texts()
  if (error !== null) return t.failed
  // Further runs wait in the browser while as many as are allowed are open.
  if (job === null) return upload.value.status === 'done' ? t.queued : t.waiting
  if (job.status !== 'processing') return t[job.status]
  const percent = t.processing(formatPercent(job.progress / 100))
  const elapsed_seconds = (Date.now() - Date.parse(job.started_at ?? job.created_at)) / 1000
  const seconds = remainingSeconds(job.progress, elapsed_seconds)
  return seconds === null ? percent : `${percent}, ${t.left(formatDuration(seconds))}`
}
