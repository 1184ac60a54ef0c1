import type { FormText } from './form-text.ts'

/** Units of parameters, each with the symbol that follows a value. */
export const UNITS = {
  s: { en: 's', uk_ru: 'с' },
  px: { en: 'px', uk: 'пікс.', ru: 'пикс.' },
  percent: '%',
  times: '×',
  degrees: '°',
  fps: { en: 'fps', uk_ru: 'кадр/с' },
  db: { en: 'dB', uk_ru: 'дБ' },
  lufs: 'LUFS',
  kbps: { en: 'kbit/s', uk: 'кбіт/с', ru: 'кбит/с' },
  kb: { en: 'KB', uk_ru: 'КБ' },
} as const satisfies Record<string, FormText>

export type Unit = keyof typeof UNITS
