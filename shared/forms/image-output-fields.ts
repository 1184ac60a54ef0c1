import type { FieldForm } from './form.ts'
import type { Translations } from './form-text.ts'

/** Handling of animations, to follow the description of a format. */
export const ANIMATION_NOTE = {
  uk: 'WebP зберігає всі кадри анімації; інші формати — перший, а frames_dropped рахує решту',
  ru: 'WebP сохраняет все кадры анимации; другие форматы — первый, а frames_dropped считает остальные',
} as const satisfies Translations

/** The size guarantee that applies without `quality`, to follow "Default: …,". */
export const NEVER_LARGER_NOTE = {
  uk: 'або нижча, якщо файл збільшився б. Якщо він усе одно збільшився б, зображення sRGB без повороту в тому самому форматі зберігає свої пікселі (input_kept у результаті). larger_than_input повідомляє про результат, який усе ж більший',
  ru: 'или ниже, если файл увеличился бы. Если он все равно увеличился бы, изображение sRGB без поворота в том же формате сохраняет свои пиксели (input_kept в результате). larger_than_input сообщает о результате, который все же больше',
} as const satisfies Translations

/** Output format of an image; its description differs between operations. */
export const IMAGE_FORMAT = {
  label: { en: 'Format', uk_ru: 'Формат' },
  options: { webp: 'WebP', avif: 'AVIF', jpeg: 'JPEG', png: 'PNG' },
} as const

/** Quality of an image; its description differs between operations. */
export const IMAGE_QUALITY = {
  label: { en: 'Quality', uk: 'Якість', ru: 'Качество' },
  step: 1,
  control: 'slider',
} as const satisfies Partial<FieldForm>

/** Maximum size of the file. */
export const MAX_KB = {
  label: { en: 'Maximum file size', uk: 'Найбільший розмір файлу', ru: 'Максимальный размер файла' },
  hint: {
    en: 'The quality is lowered until the file fits',
    uk: 'Якість знижується, доки файл не вміститься',
    ru: 'Качество снижается, пока файл не уложится',
  },
  description: {
    uk: 'Найбільший розмір файлу в кілобайтах (1024 байти). Тоді quality — найвища якість, яка пробується',
    ru: 'Максимальный размер файла в килобайтах (1024 байта). Тогда quality — наивысшее качество, которое пробуется',
  },
  unit: 'kb',
  step: 1,
} as const satisfies FieldForm

/** Format of a result that may be an animation. */
export const RESULT_FORMAT = {
  ...IMAGE_FORMAT,
  hint: {
    en: 'Only WebP keeps animations',
    uk: 'Анімацію зберігає лише WebP',
    ru: 'Анимацию сохраняет только WebP',
  },
  description: {
    uk: `Формат результату. ${ANIMATION_NOTE.uk}`,
    ru: `Формат результата. ${ANIMATION_NOTE.ru}`,
  },
} as const

/** Quality of a result whose format may be lossless. */
export const RESULT_QUALITY = {
  ...IMAGE_QUALITY,
  hint: {
    en: 'Default: suits the format; PNG is lossless',
    uk: 'За замовчуванням — відповідно до формату; PNG без втрат',
    ru: 'По умолчанию — в соответствии с форматом; PNG без потерь',
  },
} as const
