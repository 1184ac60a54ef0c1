import type { FieldForm } from './form.ts'

/** Start of a clip, in seconds. */
export const CLIP_START = {
  label: { en: 'Start', uk: 'Початок', ru: 'Начало' },
  description: { uk: 'Початок фрагмента в секундах', ru: 'Начало фрагмента в секундах' },
  unit: 's',
  step: 0.1,
  control: 'time',
  group: 'part',
} as const satisfies FieldForm

const DURATION = {
  label: { en: 'Duration', uk: 'Тривалість', ru: 'Длительность' },
  unit: 's',
  step: 0.1,
  control: 'time',
  group: 'part',
} as const

/** Duration of a clip that ends with the video unless it is set. */
export const DURATION_TO_END = {
  ...DURATION,
  hint: {
    en: 'Default: to the end of the video',
    uk: 'За замовчуванням — до кінця відео',
    ru: 'По умолчанию — до конца видео',
  },
  description: {
    uk: 'Тривалість фрагмента в секундах. За замовчуванням — до кінця',
    ru: 'Длительность фрагмента в секундах. По умолчанию — до конца',
  },
} as const satisfies FieldForm

/** Duration of a clip that has a default. */
export const DURATION_LIMITED = {
  ...DURATION,
  hint: {
    en: 'At most to the end of the video',
    uk: 'Щонайбільше до кінця відео',
    ru: 'Не дальше конца видео',
  },
  description: {
    uk: 'Тривалість фрагмента в секундах, щонайбільше до кінця відео',
    ru: 'Длительность фрагмента в секундах, самое большее до конца видео',
  },
} as const satisfies FieldForm
