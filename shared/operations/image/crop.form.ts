import type { FormOf } from '../../forms/form.ts'
import type { crop } from './crop.ts'

export const cropForm: FormOf<typeof crop> = {
  group: 'resize',
  title: { uk: 'Кадрувати зображення', ru: 'Кадрировать изображение' },
  description: {
    uk: 'Кадрує зображення до пропорцій, наприклад 1:1 або 16:9, за центром чи одним із країв.',
    ru: 'Кадрирует изображение до пропорций, например 1:1 или 16:9, по центру или одному из краев.',
  },
  summary: {
    en: 'To an aspect ratio such as 1:1 or 16:9',
    uk: 'До пропорцій, наприклад 1:1 або 16:9',
    ru: 'До пропорций, например 1:1 или 16:9',
  },
  fields: {
    crop_aspect: {
      label: { en: 'Aspect ratio', uk: 'Пропорції', ru: 'Пропорции' },
      description: {
        uk: 'Пропорції результату, ширина до висоти',
        ru: 'Пропорции результата, ширина к высоте',
      },
      options: 'values',
    },
    gravity: {
      label: { en: 'Part to keep', uk: 'Що залишити', ru: 'Что оставить' },
      description: {
        uk: 'Край зображення, який залишається. top і bottom діють, коли обрізається висота, left і right — коли ширина',
        ru: 'Край изображения, который остается. top и bottom действуют, когда обрезается высота, left и right — когда ширина',
      },
      options: {
        center: { en: 'Center', uk_ru: 'Центр' },
        top: { en: 'Top', uk_ru: 'Верх' },
        bottom: { en: 'Bottom', uk_ru: 'Низ' },
        left: { en: 'Left', uk: 'Лівий край', ru: 'Левый край' },
        right: { en: 'Right', uk: 'Правий край', ru: 'Правый край' },
      },
    },
  },
  presets: {
    Square: { uk_ru: 'Квадрат' },
    'Portrait 4:5': { uk_ru: 'Портрет 4:5' },
    'Story 9:16': { uk: 'Сторіз 9:16', ru: 'Сторис 9:16' },
    'Widescreen 16:9': { uk: 'Широкоекранне 16:9', ru: 'Широкоэкранное 16:9' },
  },
}
