import type { FormOf } from '../../forms/form.ts'
import { MAX_KB, RESULT_FORMAT, RESULT_QUALITY } from '../../forms/image-output-fields.ts'
import type { convert } from './convert.ts'

export const convertForm: FormOf<typeof convert> = {
  group: 'convert',
  title: { uk: 'Конвертувати зображення', ru: 'Конвертировать изображение' },
  description: {
    uk: 'Конвертує зображення у WebP, AVIF, JPEG або PNG, за потреби в межах заданого розміру файлу.',
    ru: 'Конвертирует изображение в WebP, AVIF, JPEG или PNG, при необходимости в пределах заданного размера файла.',
  },
  summary: { en: 'WebP, AVIF, JPEG or PNG', uk: 'WebP, AVIF, JPEG або PNG', ru: 'WebP, AVIF, JPEG или PNG' },
  fields: {
    format: RESULT_FORMAT,
    quality: {
      ...RESULT_QUALITY,
      description: {
        uk: 'Якість від 1 до 100. За замовчуванням — стандартна для формату. PNG зберігається без втрат, із 16 бітами на канал і колірним профілем RGB (CMYK перетворюється на sRGB); якщо задано quality, він отримує палітру кольорів',
        ru: 'Качество от 1 до 100. По умолчанию — стандартное для формата. PNG сохраняется без потерь, с 16 битами на канал и цветовым профилем RGB (CMYK преобразуется в sRGB); если задано quality, он получает палитру цветов',
      },
    },
    max_kb: MAX_KB,
  },
  presets: {
    'WebP for the web': { uk: 'WebP для вебу', ru: 'WebP для сайта' },
    'AVIF: smallest file': { uk: 'AVIF: найменший файл', ru: 'AVIF: самый маленький файл' },
    'JPEG under 1 MB': { uk_ru: 'JPEG до 1 МБ' },
    'Lossless PNG': { uk: 'PNG без втрат', ru: 'PNG без потерь' },
  },
}
