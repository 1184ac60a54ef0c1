import { useMutation } from '@tanstack/preact-query'
import type { ComponentChildren } from 'preact'
import { defineTexts } from '../text/define-texts.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import styles from './form.module.css'
import { ErrorNotice } from './surfaces.tsx'

const texts = defineTexts({
  en: { keep: 'Keep it' },
  uk: { keep: 'Не змінювати' },
  ru: { keep: 'Не менять' },
})

interface ConfirmDialogProps {
  title: string
  /** Names the action, such as "Delete the key". */
  action: string
  /** Carries out the action. The dialog stays open if it fails, and shows why. */
  confirm: () => Promise<unknown>
  onClose: () => void
  children: ComponentChildren
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ title, action, confirm, onClose, children }: ConfirmDialogProps) {
  const confirmation = useMutation({ mutationFn: confirm, onSuccess: onClose })
  return (
    <Dialog title={title} onClose={onClose}>
      <div class={styles.form}>
        <p>{children}</p>
        {confirmation.error && <ErrorNotice error={confirmation.error} />}
        <div class={styles.buttons}>
          <Button onClick={onClose}>{texts().keep}</Button>
          <Button look="danger" isBusy={confirmation.isPending} onClick={() => confirmation.mutate()}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
