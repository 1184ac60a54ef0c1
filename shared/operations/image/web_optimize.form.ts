import type { FormOf } from '../../forms/form.ts'
import { MAX_KB, NEVER_LARGER_NOTE, RESULT_FORMAT, RESULT_QUALITY } from '../../forms/image-output-fields.ts'
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
    format: RESULT_FORMAT,
    quality: {
      ...RESULT_QUALITY,
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
