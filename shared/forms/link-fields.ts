import type { FieldForm } from './form.ts'

/** URL of the video that a link operation works on. */
export const LINK_URL = {
  label: { en: 'Video link', uk: 'Посилання на відео', ru: 'Ссылка на видео' },
  description: { uk: 'Загальнодоступний URL одного відео', ru: 'Общедоступный URL одного видео' },
  control: 'url',
} as const satisfies FieldForm
