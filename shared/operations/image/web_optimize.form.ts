import type { FormOf } from '../../forms/form.ts'
import {
  ANIMATION_NOTE,
  IMAGE_FORMAT,
  IMAGE_QUALITY,
  MAX_KB,
  NEVER_LARGER_NOTE,
} from '../../forms/image-output-fields.ts'
import type { web_optimize } from './web_optimize.ts'

export const webOptimizeForm: FormOf<typeof web_optimize> = {
  group: 'compress',
  title: { uk: 'Оптимізувати для вебу', ru: 'Оптимизировать для сайта' },
  description: {
    uk: 'Створює невеликий файл для вебсторінки: WebP або інший формат, у sRGB, без метаданих.',
    ru: 'Создает небольшой файл для веб-страницы: WebP или другой формат, в sRGB, без метаданных.',
  },
  summary: {
    en: 'A small file for a web page',
    uk: 'Невеликий файл для вебсторінки',
    ru: 'Небольшой файл для веб-страницы',
  },
  fields: {
    format: {
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
    },
    quality: {
      ...IMAGE_QUALITY,
      hint: {
        en: 'Default: suits the format; PNG is lossless',
        uk: 'За замовчуванням — відповідно до формату; PNG без втрат',
        ru: 'По умолчанию — в соответствии с форматом; PNG без потерь',
      },
      description: {
        uk: `Якість від 1 до 100. За замовчуванням — стандартна для формату, ${NEVER_LARGER_NOTE.uk}. PNG зберігається без втрат, якщо її не задано`,
        ru: `Качество от 1 до 100. По умолчанию — стандартное для формата, ${NEVER_LARGER_NOTE.ru}. PNG сохраняется без потерь, если оно не задано`,
      },
    },
    max_kb: MAX_KB,
  },
  presets: {
    WebP: 'same',
    AVIF: 'same',
    'At most 100 KB': { uk_ru: 'До 100 КБ' },
  },
}
