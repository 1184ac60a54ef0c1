import { CLIP_START, DURATION_TO_END } from '../../forms/clip-fields.ts'
import type { FormOf } from '../../forms/form.ts'
import { LINK_URL } from '../../forms/link-fields.ts'
import type { download_audio } from './download_audio.ts'

export const downloadAudioForm: FormOf<typeof download_audio> = {
  group: 'link',
  title: { uk: 'Завантажити звук', ru: 'Скачать звук' },
  description: {
    uk: 'Завантажує звук відео за посиланням у форматі, який надає сайт, без перекодування.',
    ru: 'Скачивает звук видео по ссылке в формате, который предоставляет сайт, без перекодирования.',
  },
  summary: {
    en: 'The sound in the format of the site',
    uk: 'Звук у форматі сайту',
    ru: 'Звук в формате сайта',
  },
  fields: {
    url: LINK_URL,
    audio_format: {
      label: { en: 'Format', uk_ru: 'Формат' },
      hint: {
        en: 'Chosen from what the site provides; nothing is converted',
        uk: 'Вибирається з того, що надає сайт; нічого не конвертується',
        ru: 'Выбирается из того, что предоставляет сайт; ничего не конвертируется',
      },
      description: {
        uk: 'Формат, який вибирається з наданих сайтом; звук не конвертується. best приймає будь-який формат',
        ru: 'Формат, который выбирается из предоставленных сайтом; звук не конвертируется. best принимает любой формат',
      },
      options: {
        best: { en: 'Best available', uk: 'Найкращий доступний', ru: 'Лучший доступный' },
        m4a: 'M4A (AAC)',
        mp3: 'MP3',
        opus: 'Opus',
      },
    },
    start: CLIP_START,
    duration: DURATION_TO_END,
  },
  presets: {},
}
