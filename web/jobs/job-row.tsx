import type { Job } from '../../client/src/index.ts'
import { ProgressBar } from '../design/surfaces.tsx'
import { formatDateTime } from '../text/format.ts'
import { formatCredits } from '../text/format-credits.ts'
import { inputName } from './input-name.ts'
import { JobActions } from './job-actions.tsx'
import { costOf } from './job-state.ts'
import { JobStatus } from './job-status.tsx'
import styles from './jobs.module.css'
import { useListedJob } from './use-job.ts'
import { useJobTitle } from './use-job-title.ts'

/** One job of the list. */
export function JobRow({ listed }: { listed: Job }) {
  const job = useListedJob(listed)
  const title = useJobTitle(job)
  // Only a result has a name of its own.
  const file = job.result?.filename ?? inputName(job)
  const name = file ?? title
  return (
    <li class={styles.row}>
      <div class={styles.job}>
        <p class={styles.title}>
          <a href={`/jobs/${job.id}`}>{title}</a>
        </p>
        <p class={styles.quiet}>
          {formatDateTime(job.created_at)} · {formatCredits(costOf(job))}
          {file && (
            <>
              {' · '}
              <bdi>{file}</bdi>
            </>
          )}
        </p>
        <p>
          <JobStatus job={job} />
        </p>
        {job.status === 'processing' && <ProgressBar fraction={job.progress / 100} label={title} />}
      </div>
      <JobActions job={job} name={name} isInList />
    </li>
  )
}
