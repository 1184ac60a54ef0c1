import type { FormOf } from '../../forms/form.ts'
import { BAR_COLOR, HEIGHT, WIDTH } from '../../forms/picture-fields.ts'
import type { resize } from './resize.ts'

export const resizeForm: FormOf<typeof resize> = {
  group: 'resize',
  title: { uk: 'Змінити розмір відео', ru: 'Изменить размер видео' },
  description: {
    uk: 'Змінює розмір відео: масштабує в межах заданих ширини й висоти або доповнює смугами до них. До 1080p.',
    ru: 'Изменяет размер видео: масштабирует в пределах заданных ширины и высоты или дополняет полосами до них. До 1080p.',
  },
  summary: {
    en: 'The width and height that you need',
    uk: 'Потрібні ширина й висота',
    ru: 'Нужные ширина и высота',
  },
  fields: {
    width: {
      ...WIDTH,
      step: 2,
      description: {
        uk: 'Ширина в пікселях. Коротша сторона результату — щонайбільше 1080 пікселів',
        ru: 'Ширина в пикселях. Короткая сторона результата — не больше 1080 пикселей',
      },
    },
    height: {
      ...HEIGHT,
      step: 2,
      description: {
        uk: 'Висота в пікселях. Коротша сторона результату — щонайбільше 1080 пікселів',
        ru: 'Высота в пикселях. Короткая сторона результата — не больше 1080 пикселей',
      },
    },
    mode: {
      label: { en: 'If the shape differs', uk: 'Якщо пропорції інші', ru: 'Если пропорции другие' },
      description: {
        uk: 'fit масштабує в межах ширини й висоти зі збереженням пропорцій; pad додає смуги, щоб розмір точно збігся',
        ru: 'fit масштабирует в пределах ширины и высоты с сохранением пропорций; pad добавляет полосы, чтобы размер совпал точно',
      },
      options: {
        fit: { en: 'Scale to fit', uk: 'Вписати', ru: 'Вписать' },
        pad: { en: 'Add bars', uk: 'Додати смуги', ru: 'Добавить полосы' },
      },
    },
    color: { ...BAR_COLOR, shown_when: { field: 'mode', values: ['pad'] } },
  },
  presets: {
    '1080p': 'same',
    '720p': 'same',
    '480p': 'same',
    'Portrait 1080 x 1920, with bars': {
      uk: 'Вертикальне 1080 × 1920 зі смугами',
      ru: 'Вертикальное 1080 × 1920 с полосами',
    },
  },
}
