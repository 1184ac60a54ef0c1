import type { FormOf } from '../../forms/form.ts'
import type { extract_audio } from './extract_audio.ts'

export const extractAudioForm: FormOf<typeof extract_audio> = {
  group: 'audio',
  title: { uk: 'Витягти звук', ru: 'Извлечь звук' },
  description: {
    uk: 'Витягує звук як MP3 або як AAC у файлі M4A. Якщо звук уже має цей формат, він копіюється без втрат.',
    ru: 'Извлекает звук как MP3 или как AAC в файле M4A. Если звук уже в этом формате, он копируется без потерь.',
  },
  summary: {
    en: 'The sound of a video as MP3 or M4A',
    uk: 'Звук із відео як MP3 або M4A',
    ru: 'Звук из видео в MP3 или M4A',
  },
  fields: {
    format: {
      label: { en: 'Format', uk_ru: 'Формат' },
      description: {
        uk: 'Формат звуку; aac зберігається як .m4a, m4a — інша назва aac',
        ru: 'Формат звука; aac сохраняется как .m4a, m4a — другое название aac',
      },
      options: { mp3: 'MP3', aac: 'AAC (M4A)', m4a: null },
    },
    bitrate_kbps: {
      label: { en: 'Bitrate', uk: 'Бітрейт', ru: 'Битрейт' },
      hint: {
        en: 'Default: the original sound is copied if possible',
        uk: 'За замовчуванням звук за можливості копіюється',
        ru: 'По умолчанию звук по возможности копируется',
      },
      description: {
        uk: 'Бітрейт кодування в кбіт/с. За замовчуванням звук копіюється, якщо це можливо, інакше — 192',
        ru: 'Битрейт кодирования в кбит/с. По умолчанию звук копируется, если возможно, иначе — 192',
      },
      unit: 'kbps',
      step: 8,
      control: 'slider',
    },
    track: {
      label: { en: 'Audio track', uk: 'Звукова доріжка', ru: 'Звуковая дорожка' },
      hint: { en: '1 is the first', uk: '1 — перша', ru: '1 — первая' },
      description: { uk: 'Номер звукової доріжки; 1 — перша', ru: 'Номер звуковой дорожки; 1 — первая' },
      step: 1,
      is_advanced: true,
    },
  },
  presets: {
    MP3: 'same',
    'AAC (M4A)': 'same',
    'Small MP3 for speech': { uk: 'Компактний MP3 для мовлення', ru: 'Компактный MP3 для речи' },
  },
}
