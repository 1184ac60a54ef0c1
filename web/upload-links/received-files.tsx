import { Download } from 'lucide-preact'
import type { UploadSession } from '../../client/src/index.ts'
import { LinkButton } from '../design/button.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatBytes, formatDateTime } from '../text/format.ts'
import styles from './upload-links.module.css'

const texts = defineTexts({
  en: {
    download: 'Download',
    until: (time: string) => `Kept until ${time}`,
  },
  uk: {
    download: 'Завантажити',
    until: (time: string) => `Зберігається до ${time}`,
  },
  ru: {
    download: 'Скачать',
    until: (time: string) => `Хранится до ${time}`,
  },
})

/** The result of the file that came in. Files that were exported are in the storage of the customer. */
export function ReceivedFiles({ result }: { result: NonNullable<UploadSession['result']> }) {
  const t = texts()
  return (
    <div class={styles.received}>
      {(result.files ?? [result]).map(({ url, filename, size_bytes }) => (
        <LinkButton key={url} href={url} download={filename}>
          <Download size={18} aria-hidden />
          <span>
            {t.download} <bdi>{filename}</bdi> ({formatBytes(size_bytes)})
          </span>
        </LinkButton>
      ))}
      <span class={styles.quiet}>{t.until(formatDateTime(result.expires_at))}</span>
    </div>
  )
}
