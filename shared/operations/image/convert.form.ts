import type { FormOf } from '../../forms/form.ts'
import { ANIMATION_NOTE, IMAGE_FORMAT, IMAGE_QUALITY, MAX_KB } from '../../forms/image-output-fields.ts'
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
