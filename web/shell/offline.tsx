import { signal } from '@preact/signals'
import { Notice } from '../design/surfaces.tsx'
import { defineTexts } from '../text/define-texts.ts'

/** False while the browser knows that it has no connection. */
export const isOnline = signal(navigator.onLine)
for (const event of ['online', 'offline']) {
  addEventListener(event, () => {
    isOnline.value = navigator.onLine
  })
}

const texts = defineTexts({
  en: { offline: 'You are offline. Uploads and jobs that wait continue when the connection is back.' },
  uk: {
    offline:
      'Немає з’єднання з інтернетом. Завантаження та завдання, що чекають, продовжаться, коли воно відновиться.',
  },
  ru: {
    offline:
      'Нет соединения с интернетом. Загрузка и ожидающие задания продолжатся, когда оно восстановится.',
  },
})

/** Says that the browser has no connection. */
export function OfflineNotice() {
  return isOnline.value ? null : <Notice kind="bad">{texts().offline}</Notice>
}
