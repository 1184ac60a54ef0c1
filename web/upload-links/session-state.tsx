import type { UploadSession } from '../../client/src/index.ts'
import { classes } from '../design/classes.ts'
import { defineTexts } from '../text/define-texts.ts'
import styles from './upload-links.module.css'

const texts = defineTexts({
  en: {
    pending: 'Waiting for the file',
    uploading: 'File is being sent',
    processing: 'File is being processed',
    done: 'Done',
    failed: 'Failed',
    expired: 'Expired',
    canceled: 'Job canceled',
    withdrawn: 'Withdrawn',
  },
  uk: {
    pending: 'Чекає на файл',
    uploading: 'Файл надсилають',
    processing: 'Файл обробляється',
    done: 'Готово',
    failed: 'Не вдалося',
    expired: 'Строк минув',
    canceled: 'Завдання скасовано',
    withdrawn: 'Відкликано',
  },
  ru: {
    pending: 'Ждет файл',
    uploading: 'Файл отправляют',
    processing: 'Файл обрабатывается',
    done: 'Готово',
    failed: 'Не удалось',
    expired: 'Срок истек',
    canceled: 'Задание отменено',
    withdrawn: 'Отозвана',
  },
})

const LOOKS: Partial<Record<UploadSession['status'], string | undefined>> = {
  done: styles.good,
  failed: styles.bad,
}

/** The state of an upload session in words. A link without a job was withdrawn, not canceled. */
export function SessionState({ session: { status, job_id } }: { session: UploadSession }) {
  const state = status === 'canceled' && job_id === null ? 'withdrawn' : status
  return <span class={classes(styles.state, LOOKS[status])}>{texts()[state]}</span>
}
