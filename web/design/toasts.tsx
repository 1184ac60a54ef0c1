import { signal } from '@preact/signals'
import styles from './toasts.module.css'

const LIFETIME_MS = 6000

const toasts = signal<{ id: number; text: string }[]>([])
let last_id = 0

/** Confirms something that the user did, such as copying a link. Errors belong beside what failed instead. */
export function showToast(text: string): void {
  const id = ++last_id
  toasts.value = [...toasts.value, { id, text }]
  setTimeout(() => {
    toasts.value = toasts.value.filter((toast) => toast.id !== id)
  }, LIFETIME_MS)
}

export function Toasts() {
  return (
    <div class={styles.toasts} role="status">
      {toasts.value.map(({ id, text }) => (
        <p key={id} class={styles.toast}>
          {text}
        </p>
      ))}
    </div>
  )
}
