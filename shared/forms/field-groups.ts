import type { FormText } from './form-text.ts'

/** Groups of fields that belong together in a form. */
export const FIELD_GROUPS = {
  part: { en: 'Part of the video', uk: 'Фрагмент відео', ru: 'Фрагмент видео' },
  size: { en: 'Size', uk: 'Розмір', ru: 'Размер' },
  position: { en: 'Position', uk: 'Положення', ru: 'Положение' },
  frame: { en: 'Frame', uk_ru: 'Кадр' },
  background: { en: 'Background', uk_ru: 'Фон' },
  text: { en: 'Text', uk_ru: 'Текст' },
  colors: { en: 'Colors', uk: 'Кольори', ru: 'Цвета' },
  tones: { en: 'Tones', uk: 'Тони', ru: 'Тона' },
  fades: { en: 'Fades', uk: 'Згасання', ru: 'Затухание' },
  filters: { en: 'Filters', uk: 'Фільтри', ru: 'Фильтры' },
  loudness: { en: 'Loudness', uk: 'Гучність', ru: 'Громкость' },
  pauses: { en: 'Pauses', uk: 'Паузи', ru: 'Паузы' },
  speech: { en: 'Speech recognition', uk: 'Розпізнавання мовлення', ru: 'Распознавание речи' },
  own_subtitles: { en: 'Your own subtitles', uk: 'Власні субтитри', ru: 'Свои субтитры' },
  palette: { en: 'Palette', uk: 'Палітра', ru: 'Палитра' },
} as const satisfies Record<string, FormText>

export type FieldGroupKey = keyof typeof FIELD_GROUPS
