import type { FormOf } from '../../forms/form.ts'
import {
  ANIMATION_NOTE,
  IMAGE_FORMAT,
  IMAGE_QUALITY,
  MAX_KB,
  NEVER_LARGER_NOTE,
} from '../../forms/image-output-fields.ts'
import type { compress } from './compress.ts'

export const compressForm: FormOf<typeof compress> = {
  group: 'compress',
  title: { uk: 'Стиснути зображення', ru: 'Сжать изображение' },
  description: {
    uk: 'Зменшує розмір файлу: за якістю або до заданого розміру в кілобайтах.',
    ru: 'Уменьшает размер файла: по качеству или до заданного размера в килобайтах.',
  },
  summary: {
    en: 'A smaller file, within a limit if you set one',
    uk: 'Менший файл, за потреби до заданого розміру',
    ru: 'Файл поменьше, при необходимости до заданного размера',
  },
  fields: {
    quality: {
      ...IMAGE_QUALITY,
      hint: { en: 'Default: 75', uk: 'За замовчуванням — 75', ru: 'По умолчанию — 75' },
      description: {
        uk: `Якість від 1 до 100. За замовчуванням — 75, ${NEVER_LARGER_NOTE.uk}. PNG і GIF за нижчої якості мають менше кольорів`,
        ru: `Качество от 1 до 100. По умолчанию — 75, ${NEVER_LARGER_NOTE.ru}. PNG и GIF при более низком качестве содержат меньше цветов`,
      },
    },
    format: {
      ...IMAGE_FORMAT,
      hint: {
        en: 'Default: the format of the original; only WebP keeps animations',
        uk: 'За замовчуванням — формат оригіналу; анімацію зберігає лише WebP',
        ru: 'По умолчанию — формат оригинала; анимацию сохраняет только WebP',
      },
      description: {
        uk: `Формат результату. За замовчуванням — формат оригіналу. ${ANIMATION_NOTE.uk}`,
        ru: `Формат результата. По умолчанию — формат исходного файла. ${ANIMATION_NOTE.ru}`,
      },
    },
    max_kb: MAX_KB,
  },
  presets: {
    Balanced: { uk: 'Збалансовано', ru: 'Сбалансированно' },
    Strong: { uk_ru: 'Сильно' },
    'Under 200 KB': { uk_ru: 'До 200 КБ' },
  },
}
