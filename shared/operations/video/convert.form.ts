import type { FormOf } from '../../forms/form.ts'
import type { convert } from './convert.ts'

const COPY = {
  en: 'Copy without re-encoding',
  uk: 'Копіювати без перекодування',
  ru: 'Копировать без перекодирования',
}

export const convertForm: FormOf<typeof convert> = {
  group: 'convert',
  title: { uk: 'Конвертувати відео', ru: 'Конвертировать видео' },
  description: {
    uk: 'Змінює контейнер або кодеки. Потоки, які підходять, копіюються без втрат; кодуються лише решта.',
    ru: 'Меняет контейнер или кодеки. Подходящие потоки копируются без потерь; кодируются только остальные.',
  },
  summary: {
    en: 'MP4, WebM, MOV or MKV, without loss where possible',
    uk: 'MP4, WebM, MOV або MKV, за можливості без втрат',
    ru: 'MP4, WebM, MOV или MKV, по возможности без потерь',
  },
  fields: {
    format: {
      label: { en: 'Format', uk_ru: 'Формат' },
      description: { uk: 'Контейнер результату', ru: 'Контейнер результата' },
      options: { mp4: 'MP4', webm: 'WebM', mov: 'MOV', mkv: 'Matroska (MKV)' },
    },
    vcodec: {
      label: { en: 'Video codec', uk: 'Відеокодек', ru: 'Видеокодек' },
      hint: {
        en: 'Default: the video is copied where the format allows it',
        uk: 'За замовчуванням відео копіюється, якщо формат це дозволяє',
        ru: 'По умолчанию видео копируется, если формат это позволяет',
      },
      description: {
        uk: 'Кодувальник відео: H.264, H.265 або VP9. За замовчуванням відео копіюється, якщо контейнер підтримує його кодек',
        ru: 'Кодировщик видео: H.264, H.265 или VP9. По умолчанию видео копируется, если контейнер поддерживает его кодек',
      },
      is_advanced: true,
      options: { libx264: 'H.264', libx265: 'H.265 (HEVC)', 'libvpx-vp9': 'VP9', copy: COPY },
    },
    acodec: {
      label: { en: 'Audio codec', uk: 'Аудіокодек', ru: 'Аудиокодек' },
      hint: {
        en: 'Default: the sound is copied where the format allows it',
        uk: 'За замовчуванням звук копіюється, якщо формат це дозволяє',
        ru: 'По умолчанию звук копируется, если формат это позволяет',
      },
      description: {
        uk: 'Кодувальник звуку: AAC, MP3 або Opus. За замовчуванням звук копіюється, якщо контейнер підтримує його кодек',
        ru: 'Кодировщик звука: AAC, MP3 или Opus. По умолчанию звук копируется, если контейнер поддерживает его кодек',
      },
      is_advanced: true,
      options: { aac: 'AAC', libmp3lame: 'MP3', libopus: 'Opus', copy: COPY },
    },
  },
  presets: {
    'MP4 for all devices': { uk: 'MP4 для всіх пристроїв', ru: 'MP4 для всех устройств' },
    'WebM for the web': { uk: 'WebM для вебу', ru: 'WebM для сайта' },
    'H.265: about the size of H.264': {
      uk: 'H.265: файл приблизно як в H.264',
      ru: 'H.265: файл примерно как в H.264',
    },
    'Matroska without re-encoding': {
      uk: 'Matroska без перекодування',
      ru: 'Matroska без перекодирования',
    },
  },
}
