import { Download } from 'lucide-preact'
import type { Job } from '../../client/src/index.ts'
import { LinkButton } from '../design/button.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatBytes } from '../text/format.ts'
import { AsCode } from './as-code.tsx'
import styles from './job-result.module.css'

const texts = defineTexts({
  en: { download: 'Download' },
  uk: { download: 'Завантажити' },
  ru: { download: 'Скачать' },
})

interface JobResultProps {
  job: Job
  /** The input, if this browser has it. */
  source?: File | null
}

/** Result of a finished job: what changed, and its files. */
export function JobResult({ job }: JobResultProps) {
  const { result } = job
  if (result === null) return null
  return (
    <div class={styles.actions}>
      <LinkButton href={result.url} download={result.filename}>
        <Download size={18} aria-hidden />
        {texts().download} {result.filename} · {formatBytes(result.size_bytes)}
      </LinkButton>
      <AsCode operation={job} />
    </div>
  )
}
