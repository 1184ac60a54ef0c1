import type { Job } from '../../client/src/index.ts'
import { Notice } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { adviseOn } from './job-words.ts'

const texts = defineTexts({
  en: { free: 'It cost nothing.' },
  uk: { free: 'Бонуси не списано.' },
  ru: { free: 'Бонусы не списаны.' },
})

/** Says why a job failed and what to do. The service writes the error in the language of the page. */
export function JobFailure({ job }: { job: Pick<Job, 'error' | 'error_code'> }) {
  if (job.error === null) return null
  return (
    <Notice kind="bad" help={`${adviseOn(job) ?? ''} ${texts().free}`.trim()}>
      {job.error}
    </Notice>
  )
}
