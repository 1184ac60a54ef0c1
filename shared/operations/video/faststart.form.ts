import type { FormOf } from '../../forms/form.ts'
import type { faststart } from './faststart.ts'

export const faststartForm: FormOf<typeof faststart> = {
  group: 'convert',
  title: { uk: 'Швидкий старт', ru: 'Быстрый старт' },
  description: {
    uk: 'Переносить індекс на початок, щоб відтворення починалося до кінця завантаження. За можливості записує MP4. Кодується лише звук, якого контейнер не підтримує.',
    ru: 'Переносит индекс в начало, чтобы воспроизведение начиналось до конца загрузки. По возможности записывает MP4. Кодируется только звук, который контейнер не поддерживает.',
  },
  summary: {
    en: 'Playback starts before the download ends',
    uk: 'Відтворення починається до кінця завантаження',
    ru: 'Воспроизведение начинается до конца загрузки',
  },
  fields: {},
  presets: {},
}
