import { X } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { defineTexts } from '../text/define-texts.ts'
import { IconButton } from './button.tsx'
import styles from './dialog.module.css'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
}

const texts = defineTexts({
  en: { close: 'Close' },
  uk: { close: 'Закрити' },
  ru: { close: 'Закрыть' },
})

/** A modal dialog, open while it is rendered. The browser traps the focus in it, and closes it with Escape. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const { current } = dialog
    current?.showModal()
    // Gives the focus back to what had it before, also if a button of the dialog removes it.
    return () => current?.close()
  }, [])
  return (
    <dialog ref={dialog} class={styles.dialog} aria-labelledby={id} onClose={onClose}>
      <header class={styles.header}>
        <h2 id={id}>{title}</h2>
        <IconButton label={texts().close} onClick={() => dialog.current?.close()}>
          <X aria-hidden />
        </IconButton>
      </header>
      {children}
    </dialog>
  )
}
