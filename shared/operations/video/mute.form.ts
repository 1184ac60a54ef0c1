import type { FormOf } from '../../forms/form.ts'
import type { mute } from './mute.ts'

export const muteForm: FormOf<typeof mute> = {
  group: 'audio',
  title: { uk: 'Прибрати звук', ru: 'Убрать звук' },
  description: {
    uk: 'Прибирає всі звукові доріжки. Відео копіюється.',
    ru: 'Убирает все звуковые дорожки. Видео копируется.',
  },
  summary: { en: 'The same video without sound', uk: 'Те саме відео без звуку', ru: 'То же видео без звука' },
  fields: {},
  presets: {},
}
