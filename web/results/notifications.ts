import { signal } from '@preact/signals'
import { readStored, store } from '../text/stored.ts'

const NAME = 'notifications'

/** True if this browser can show notifications. */
export const canNotify = 'Notification' in globalThis

/** True if the user wants to be notified, and the browser allows it. */
export const isNotifying = signal(
  canNotify && readStored(NAME) === 'on' && Notification.permission === 'granted',
)

/** Turns notifications on or off. Asks the browser for permission, so call it on a click. @returns false if denied */
export async function setNotifying(isOn: boolean): Promise<boolean> {
  const isAllowed = !isOn || (await Notification.requestPermission()) === 'granted'
  isNotifying.value = isOn && isAllowed
  store(NAME, isNotifying.value ? 'on' : null)
  return isAllowed
}

/** Shows a notification if the user wants them. A click on it opens this tab. */
export function notify(title: string, body: string, tag: string): void {
  if (!isNotifying.value) return
  try {
    new Notification(title, { body, tag, icon: '/icon.svg' }).onclick = () => window.focus()
  } catch {
    // Browsers on Android show notifications only from service workers.
  }
}
