import { useMutation } from '@tanstack/preact-query'
import { Download, RotateCw, X } from 'lucide-preact'
import { useLocation } from 'preact-iso'
import type { Job } from '../../client/src/index.ts'
import { media, queries } from '../api/media.ts'
import { isSignedIn } from '../api/session.ts'
import { Button, LinkButton } from '../design/button.tsx'
import { ErrorNotice } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { isolate } from '../text/isolate.ts'
import { DeleteJob } from './delete-job.tsx'
import { hasFiles, isOpen } from './job-state.ts'
import styles from './jobs.module.css'
import { rememberJob } from './use-job.ts'

const texts = defineTexts({
  en: { download: 'Download', repeat: 'Run again', cancel: 'Cancel' },
  uk: { download: 'Завантажити', repeat: 'Запустити знову', cancel: 'Скасувати' },
  ru: { download: 'Скачать', repeat: 'Запустить снова', cancel: 'Отменить' },
})

/** What can be done with a job now: download its result, run it again, delete it, or cancel it. */
export function JobActions({ job, name, isInList }: { job: Job; name: string; isInList?: boolean }) {
  const t = texts()
  const { route } = useLocation()
  const cancel = useMutation({
    mutationFn: () => media.value.jobs.cancel(job.id),
    onSuccess: (canceled) => {
      rememberJob(job.id, () => canceled)
      queries.invalidateQueries({ queryKey: ['balance'] })
    },
  })
  const repeat = useMutation({
    mutationFn: () => media.value.jobs.repeat(job.id),
    onSuccess: (started) => {
      queries.invalidateQueries({ queryKey: ['balance'] })
      route(`/jobs/${started.id}`)
    },
  })
  const { result } = job
  // A list says which job each button is about.
  const label = (action: string) => (isInList ? `${action}: ${isolate(name)}` : undefined)
  const error = cancel.error ?? repeat.error
  return (
    <div class={styles['action-area']}>
      <div class={styles.actions}>
        {isInList && result && hasFiles(job, Date.now()) && (
          <LinkButton href={result.url} download={result.filename} aria-label={label(t.download)}>
            <Download size={18} aria-hidden />
            {t.download}
          </LinkButton>
        )}
        {isOpen(job) && (
          <Button isBusy={cancel.isPending} aria-label={label(t.cancel)} onClick={() => cancel.mutate()}>
            <X size={18} aria-hidden />
            {t.cancel}
          </Button>
        )}
        {!isOpen(job) && isSignedIn.value && (
          <Button
            look={isInList ? 'plain' : 'secondary'}
            isBusy={repeat.isPending}
            aria-label={label(t.repeat)}
            onClick={() => repeat.mutate()}
          >
            <RotateCw size={18} aria-hidden />
            {t.repeat}
          </Button>
        )}
        {!isInList && !isOpen(job) && isSignedIn.value && <DeleteJob id={job.id} />}
      </div>
      {error && <ErrorNotice error={error} />}
    </div>
  )
}
