import type { UploadSession } from '../../client/src/index.ts'
import { media, queries } from '../api/media.ts'
import { ConfirmDialog } from '../design/confirm-dialog.tsx'
import { showToast } from '../design/toasts.tsx'
import { defineTexts } from '../text/define-texts.ts'
import { SESSIONS_KEY } from './use-sessions.ts'

const texts = defineTexts({
  en: {
    title: 'Withdraw this link?',
    text: 'The link stops working at once, also for a file that is being sent. This cannot be undone.',
    withdraw: 'Withdraw the link',
    withdrawn: 'Link withdrawn.',
  },
  uk: {
    title: 'Відкликати посилання?',
    text: 'Посилання одразу перестане працювати, навіть якщо файл уже надсилають. Повернути його не можна.',
    withdraw: 'Відкликати посилання',
    withdrawn: 'Посилання відкликано.',
  },
  ru: {
    title: 'Отозвать ссылку?',
    text: 'Ссылка сразу перестанет работать, даже если файл уже отправляют. Вернуть ее нельзя.',
    withdraw: 'Отозвать ссылку',
    withdrawn: 'Ссылка отозвана.',
  },
})

export function WithdrawDialog({ session, onClose }: { session: UploadSession; onClose: () => void }) {
  const t = texts()
  const withdraw = async () => {
    await media.value.uploadSessions.withdraw(session.id)
    await queries.invalidateQueries({ queryKey: SESSIONS_KEY })
    showToast(t.withdrawn)
  }
  return (
    <ConfirmDialog title={t.title} action={t.withdraw} confirm={withdraw} onClose={onClose}>
      {t.text}
    </ConfirmDialog>
  )
}
