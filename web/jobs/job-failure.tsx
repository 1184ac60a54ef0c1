import type { Job } from '../../client/src/index.ts'
import { Notice } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { locale } from '../text/locale.ts'
import { adviseOn, nameCause } from './job-words.ts'
import styles from './jobs.module.css'

const texts = defineTexts({
  en: { free: 'It cost nothing.', original: 'Message of the service' },
  uk: { free: 'Бонуси не списано.', original: 'Повідомлення сервісу' },
  ru: { free: 'Бонусы не списаны.', original: 'Сообщение сервиса' },
})

/**
 * Says why a job failed and what to do. The service writes the error of a job in English only, so other languages have
 * a sentence for its code first. Contract: Errors, Languages.
 */
export function JobFailure({ job }: { job: Pick<Job, 'error' | 'error_code'> }) {
  const t = texts()
  const { error, error_code } = job
  if (error === null) return null
  const isEnglish = locale.value === 'en' || error_code === null
  return (
    <>
      <Notice kind="bad" help={`${adviseOn(job) ?? ''} ${t.free}`.trim()}>
        {isEnglish ? error : nameCause(error_code)}
      </Notice>
      {!isEnglish && (
        <details>
          <summary>{t.original}</summary>
          <p class={styles.quiet} lang="en">
            {error}
          </p>
        </details>
      )}
    </>
  )
}
