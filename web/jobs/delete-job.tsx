import { Trash2 } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { media, queries } from '../api/media.ts'
import { Button } from '../design/button.tsx'
import { ConfirmDialog } from '../design/confirm-dialog.tsx'
import { defineTexts } from '../text/define-texts.ts'

const texts = defineTexts({
  en: {
    remove: 'Delete',
    title: 'Delete this job?',
    text: 'Its result is deleted, and its source, unless another job uses it. They cannot be restored. What the job cost stays in your history.',
    action: 'Delete the job',
  },
  uk: {
    remove: 'Видалити',
    title: 'Видалити це завдання?',
    text: 'Буде видалено його результат, а також вхідний файл, якщо його не використовує інше завдання. Відновити їх неможливо. Вартість завдання залишиться в історії.',
    action: 'Видалити завдання',
  },
  ru: {
    remove: 'Удалить',
    title: 'Удалить это задание?',
    text: 'Будет удален его результат, а также исходный файл, если его не использует другое задание. Восстановить их нельзя. Стоимость задания останется в истории.',
    action: 'Удалить задание',
  },
})

/** Deletes an ended job of the account, after a confirmation, and returns to the list of jobs. */
export function DeleteJob({ id }: { id: string }) {
  const t = texts()
  const { route } = useLocation()
  const [isAsking, setAsking] = useState(false)
  const remove = async () => {
    await media.value.jobs.delete(id)
    queries.removeQueries({ queryKey: ['job', id] })
    await queries.invalidateQueries({ queryKey: ['jobs'] })
    route('/jobs', true)
  }
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        <Trash2 size={18} aria-hidden />
        {t.remove}
      </Button>
      {isAsking && (
        <ConfirmDialog title={t.title} action={t.action} confirm={remove} onClose={() => setAsking(false)}>
          {t.text}
        </ConfirmDialog>
      )}
    </>
  )
}
