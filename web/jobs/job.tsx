import { useRoute } from 'preact-iso'
import { type Job, MediaError } from '../../client/src/index.ts'
import { SignInFirst } from '../account/signed-in.tsx'
import { session } from '../api/session.ts'
import { RetryNotice } from '../design/retry-notice.tsx'
import { Card, ProgressBar, Skeleton } from '../design/surfaces.tsx'
import { JobResult } from '../results/job-result.tsx'
import { Page } from '../shell/page.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatDateTime } from '../text/format.ts'
import { JobActions } from './job-actions.tsx'
import { JobFacts } from './job-facts.tsx'
import { JobFailure } from './job-failure.tsx'
import { hasFiles, isOpen } from './job-state.ts'
import { JobStatus } from './job-status.tsx'
import styles from './jobs.module.css'
import { useJob } from './use-job.ts'
import { useJobTitle } from './use-job-title.ts'

const texts = defineTexts({
  en: {
    title: 'Job',
    created: (time: string) => `Created ${time}`,
    queued: 'The job waits for a free machine.',
    gone: 'The files of this job are deleted. Run it again to get new ones.',
  },
  uk: {
    title: 'Завдання',
    created: (time: string) => `Створено ${time}`,
    queued: 'Завдання чекає на вільну машину.',
    gone: 'Файли цього завдання видалено. Запустіть його знову, щоб отримати нові.',
  },
  ru: {
    title: 'Задание',
    created: (time: string) => `Создано ${time}`,
    queued: 'Задание ждет свободной машины.',
    gone: 'Файлы этого задания удалены. Запустите его снова, чтобы получить новые.',
  },
})

/** One job: how far it is, what came of it, and what it cost. Anonymous jobs open to anyone with their id. */
export default function JobPage() {
  const { id = '' } = useRoute().params
  // Starts over for another session, which may not see the job.
  return <OpenedJob key={`${id} ${session.value?.access_token}`} id={id} />
}

function OpenedJob({ id }: { id: string }) {
  const t = texts()
  const { data: job, error, refetch } = useJob(id)
  if (job) return <Details job={job} />
  // Without a session, the service does not say whether there is such a job.
  if (session.value === null && error instanceof MediaError && error.status === 401) return <SignInFirst />
  return (
    <Page title={t.title}>
      {error ? <RetryNotice error={error} onRetry={() => void refetch()} /> : <Skeleton height="16rem" />}
    </Page>
  )
}

function Details({ job }: { job: Job }) {
  const t = texts()
  const title = useJobTitle(job)
  return (
    <Page
      title={title}
      lead={t.created(formatDateTime(job.created_at))}
      actions={<JobActions job={job} name={title} />}
    >
      <div class={styles.details}>
        <Card>
          <div class={styles.panel}>
            <p aria-live="polite">
              <JobStatus job={{ status: job.status, progress: 0 }} />
            </p>
            {isOpen(job) && (
              <ProgressBar fraction={job.status === 'queued' ? null : job.progress / 100} label={title} />
            )}
            {job.status === 'queued' && <p class={styles.quiet}>{t.queued}</p>}
            <JobFailure job={job} />
            {job.result && hasFiles(job, Date.now()) && <JobResult job={job} />}
            {job.result && !hasFiles(job, Date.now()) && <p class={styles.quiet}>{t.gone}</p>}
          </div>
        </Card>
        <JobFacts job={job} />
      </div>
    </Page>
  )
}
