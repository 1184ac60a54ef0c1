import { Trash2 } from 'lucide-preact'
import { useState } from 'preact/hooks'
import type { Job } from '../../client/src/index.ts'
import { media } from '../api/media.ts'
import { Button } from '../design/button.tsx'
import { ConfirmDialog } from '../design/confirm-dialog.tsx'
import { defineTexts } from '../text/define-texts.ts'

const texts = defineTexts({
  en: {
    label: 'Delete files',
    title: 'Delete the files now?',
    text: 'The uploaded file and the result are deleted from the service at once. This cannot be undone. Your own copy stays.',
  },
  uk: {
    label: 'Видалити файли',
    title: 'Видалити файли зараз?',
    text: 'Сервіс одразу видалить завантажений файл і результат. Скасувати це неможливо. Ваша власна копія залишиться.',
  },
  ru: {
    label: 'Удалить файлы',
    title: 'Удалить файлы сейчас?',
    text: 'Сервис сразу удалит загруженный файл и результат. Отменить это нельзя. Ваша собственная копия останется.',
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
  const remove = async () => {
    await media.value.jobs.confirmDelivery(job.id)
    onDeleted(await media.value.jobs.get(job.id))
  }
  return (
    <>
      <Button look="plain" onClick={() => setOpen(true)}>
        <Trash2 size={18} aria-hidden />
        {t.label}
      </Button>
      {isOpen && (
        <ConfirmDialog title={t.title} action={t.label} confirm={remove} onClose={() => setOpen(false)}>
          {t.text}
        </ConfirmDialog>
      )}
    </>
  )
}
