import { FileArchive } from 'lucide-preact'
import { useState } from 'preact/hooks'
import type { Job } from '../../client/src/index.ts'
import { Button } from '../design/button.tsx'
import { ErrorNotice, Notice } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { formatBytes, formatCount } from '../text/format.ts'
import { canZip, MEMORY_BYTES_MAX, saveZip, sizeOf, type ZipFile } from './save-zip.ts'

const texts = defineTexts({
  en: {
    label: (count: number) =>
      formatCount(count, { one: 'Download # file as ZIP', other: 'Download # files as ZIP' }),
    limit: (size: string) =>
      `This browser can build archives of up to ${size}. Download the files one by one, or use Chrome or Edge on a computer.`,
    failed: 'A file could not be downloaded. Check the connection, then try again.',
  },
  uk: {
    label: (count: number) =>
      formatCount(count, {
        one: 'Завантажити # файл у ZIP',
        few: 'Завантажити # файли у ZIP',
        many: 'Завантажити # файлів у ZIP',
        other: 'Завантажити # файлу у ZIP',
      }),
    limit: (size: string) =>
      `Цей браузер може створювати архіви до ${size}. Завантажте файли по одному або відкрийте сторінку в Chrome чи Edge на комп’ютері.`,
    failed: 'Не вдалося завантажити один із файлів. Перевірте з’єднання та спробуйте ще раз.',
  },
  ru: {
    label: (count: number) =>
      formatCount(count, {
        one: 'Скачать # файл в ZIP',
        few: 'Скачать # файла в ZIP',
        many: 'Скачать # файлов в ZIP',
        other: 'Скачать # файла в ZIP',
      }),
    limit: (size: string) =>
      `Этот браузер может создавать архивы до ${size}. Скачайте файлы по одному или откройте страницу в Chrome или Edge на компьютере.`,
    failed: 'Не удалось скачать один из файлов. Проверьте соединение и попробуйте снова.',
  },
})

/** Downloads the results of several jobs as one archive. Shows nothing while there are fewer than two files. */
export function DownloadAll({ jobs }: { jobs: readonly Job[] }) {
  const t = texts()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const files = jobs.flatMap(listFiles)
  if (files.length < 2) return null
  if (!canZip(files)) return <Notice>{t.limit(formatBytes(MEMORY_BYTES_MAX))}</Notice>
  const save = async () => {
    setBusy(true)
    setError(null)
    await saveZip(files, 'results.zip').catch((cause: unknown) => {
      const isCanceled = cause instanceof DOMException && cause.name === 'AbortError'
      if (!isCanceled) setError(new Error(t.failed))
    })
    setBusy(false)
  }
  return (
    <>
      <Button isBusy={isBusy} onClick={() => void save()}>
        <FileArchive size={18} aria-hidden />
        {t.label(files.length)} · {formatBytes(sizeOf(files))}
      </Button>
      {error !== null && <ErrorNotice error={error} />}
    </>
  )
}

/** Returns the files of a job that can still be downloaded. */
function listFiles({ result }: Job): ZipFile[] {
  if (result === null || Date.parse(result.expires_at) <= Date.now()) return []
  return result.files ?? [result]
}
