import { Trash2 } from 'lucide-preact'
import { useState } from 'preact/hooks'
import type { Job } from '../../client/src/index.ts'
import { media } from '../api/media.ts'
import { Button } from '../design/button.tsx'
import { Dialog } from '../design/dialog.tsx'
import { ErrorNotice } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'
import styles from './job-result.module.css'

const texts = defineTexts({
  en: {
    label: 'Delete files',
    title: 'Delete the files now?',
    text: 'The uploaded file and the result are deleted from the service at once. This cannot be undone. Your own copy stays.',
    keep: 'Keep',
  },
  uk: {
    label: 'Видалити файли',
    title: 'Видалити файли зараз?',
    text: 'Сервіс одразу видалить завантажений файл і результат. Скасувати це неможливо. Ваша власна копія залишиться.',
    keep: 'Залишити',
  },
  ru: {
    label: 'Удалить файлы',
    title: 'Удалить файлы сейчас?',
    text: 'Сервис сразу удалит загруженный файл и результат. Отменить это нельзя. Ваша собственная копия останется.',
    keep: 'Оставить',
  },
})

interface DeleteFilesProps {
  job: Job
  /** Receives the job without its files. */
  onDeleted: (job: Job) => void
}

/** Deletes the files of an anonymous job before they expire, once the user has confirmed it. */
export function DeleteFiles({ job, onDeleted }: DeleteFilesProps) {
  const t = texts()
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const remove = async () => {
    setBusy(true)
    try {
      await media.value.jobs.confirmDelivery(job.id)
      onDeleted(await media.value.jobs.get(job.id))
      setOpen(false)
    } catch (cause) {
      setError(cause)
    }
    setBusy(false)
  }
  return (
    <>
      <Button look="plain" onClick={() => setOpen(true)}>
        <Trash2 size={18} aria-hidden />
        {t.label}
      </Button>
      {isOpen && (
        <Dialog title={t.title} onClose={() => setOpen(false)}>
          <div class={styles.confirm}>
            <p>{t.text}</p>
            {error !== null && <ErrorNotice error={error} />}
            <div class={styles.actions}>
              <Button look="danger" isBusy={isBusy} onClick={() => void remove()}>
                {t.label}
              </Button>
              <Button onClick={() => setOpen(false)}>{t.keep}</Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  )
}
