import { Download, Link, Wand2 } from 'lucide-preact'
import { useLocation } from 'preact-iso'
import type { Job } from '../../client/src/index.ts'
import { isSignedIn } from '../api/session.ts'
import { Button, LinkButton } from '../design/button.tsx'
import { CopyButton } from '../design/copy-button.tsx'
import { addStored, startWork } from '../studio/workspace/index.ts'
import { defineTexts } from '../text/define-texts.ts'
import { formatBytes, formatDateTime } from '../text/format.ts'
import { AsCode } from './as-code.tsx'
import { DeleteFiles } from './delete-files.tsx'
import styles from './job-result.module.css'
import { kindOfContent } from './media-kind.ts'

const texts = defineTexts({
  en: {
    download: 'Download',
    copy: 'Copy link',
    next: 'Use in another tool',
    expires: (time: string) => `The link works until ${time}. Then the files are deleted.`,
  },
  uk: {
    download: 'Завантажити',
    copy: 'Копіювати посилання',
    next: 'Обробити далі',
    expires: (time: string) => `Посилання діє до ${time}. Потім файли буде видалено.`,
  },
  ru: {
    download: 'Скачать',
    copy: 'Копировать ссылку',
    next: 'Обработать дальше',
    expires: (time: string) => `Ссылка действует до ${time}. Затем файлы удаляются.`,
  },
})

interface ResultActionsProps {
  job: Job
  result: NonNullable<Job['result']>
  onJob: (job: Job) => void
}

/** What to do with a result. */
export function ResultActions({ job, result, onJob }: ResultActionsProps) {
  const t = texts()
  const { route } = useLocation()
  const { url, filename, size_bytes, content_type } = result
  const expiry = formatDateTime(result.expires_at)
  const kind = kindOfContent(content_type)
  const useAgain = async () => {
    if (kind !== 'image' && kind !== 'video') return
    await startWork()
    addStored({ kind, name: filename, size_bytes, url })
    route('/studio')
  }
  return (
    <>
      <div class={styles.actions}>
        <LinkButton href={url} download={filename}>
          <Download size={18} aria-hidden />
          <span>
            {t.download} <bdi class="visually-hidden">{filename}</bdi> · {formatBytes(size_bytes)}
          </span>
        </LinkButton>
        <CopyButton text={url} label={t.copy} icon={Link} look="plain" />
        {(kind === 'image' || kind === 'video') && (
          <Button look="plain" onClick={() => void useAgain()}>
            <Wand2 size={18} aria-hidden />
            {t.next}
          </Button>
        )}
        <AsCode operation={job} />
        {!isSignedIn.value && <DeleteFiles job={job} onDeleted={onJob} />}
      </div>
      <p class={styles.quiet}>{t.expires(expiry)}</p>
    </>
  )
}
