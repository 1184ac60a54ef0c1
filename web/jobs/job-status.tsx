import { Ban, CircleCheck, CircleX, Clock, LoaderCircle } from 'lucide-preact'
import type { Job } from '../../client/src/index.ts'
import { classes } from '../design/classes.ts'
import { formatPercent } from '../text/format.ts'
import { nameStatus } from './job-words.ts'
import styles from './jobs.module.css'

const ICONS = {
  queued: Clock,
  processing: LoaderCircle,
  done: CircleCheck,
  failed: CircleX,
  canceled: Ban,
}

/** State of a job, as an icon and a word, with its progress. */
export function JobStatus({ job: { status, progress } }: { job: Pick<Job, 'status' | 'progress'> }) {
  const Icon = ICONS[status]
  return (
    <span class={classes(styles.status, styles[status])}>
      <Icon size={18} aria-hidden />
      {nameStatus(status)}
      {status === 'processing' && progress > 0 && ` · ${formatPercent(progress / 100)}`}
    </span>
  )
}
