import type { UploadLink } from '../../client/src/index.ts'
import { defineTexts } from '../text/define-texts.ts'
import { formatDeadline } from '../text/format.ts'
import styles from './send.module.css'

const texts = defineTexts({
  en: {
    asked: 'You were asked to send a file for this task:',
    term: (time: string) => `This link accepts one file until ${time}.`,
  },
  uk: {
    asked: 'Вас попросили надіслати файл для цього завдання:',
    term: (time: string) => `Посилання приймає один файл, діє до ${time}.`,
  },
  ru: {
    asked: 'Вас попросили отправить файл для этого задания:',
    term: (time: string) => `Ссылка принимает один файл, действует до ${time}.`,
  },
})

/** What the file is for, in the words of the service and of the person who asks for it. */
export function Task({ link }: { link: UploadLink }) {
  const t = texts()
  return (
    <section class={styles.task}>
      <p>
        {t.asked} <strong>{link.title}</strong>.
      </p>
      <p class={styles.quiet}>{link.summary}</p>
      {link.note !== null && <blockquote class={styles.note}>{link.note}</blockquote>}
      <p class={styles.quiet}>{t.term(formatDeadline(link.expires_at))}</p>
    </section>
  )
}
