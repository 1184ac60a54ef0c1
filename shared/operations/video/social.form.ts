import type { FormOf } from '../../forms/form.ts'
import { BAR_COLOR } from '../../forms/picture-fields.ts'
import type { social } from './social.ts'

export const socialForm: FormOf<typeof social> = {
  group: 'resize',
  title: { uk: 'Формат для соцмереж', ru: 'Формат для соцсетей' },
  description: {
    uk: 'Готує відео для соцмереж: квадрат 1080 x 1080, вертикальне 1080 x 1920 або широкоекранне 1920 x 1080, з кадруванням або смугами.',
    ru: 'Готовит видео для соцсетей: квадрат 1080 x 1080, вертикальное 1080 x 1920 или широкоэкранное 1920 x 1080, с кадрированием или полосами.',
  },
  summary: {
    en: 'Square, vertical or widescreen, cropped or with bars',
    uk: 'Квадратне, вертикальне чи широкоекранне, з кадруванням або смугами',
    ru: 'Квадратное, вертикальное или широкоэкранное, с кадрированием или полосами',
  },
  fields: {
    preset: {
      label: { en: 'Shape', uk: 'Форма кадру', ru: 'Форма кадра' },
      description: {
        uk: 'square — для стрічок, vertical — для сторіз, Reels і Shorts, widescreen — для плеєрів',
        ru: 'square — для лент, vertical — для сторис, Reels и Shorts, widescreen — для плееров',
      },
      options: {
        square: { en: 'Square (1:1)', uk_ru: 'Квадрат (1:1)' },
        vertical: { en: 'Vertical (9:16)', uk: 'Вертикальне (9:16)', ru: 'Вертикальное (9:16)' },
        widescreen: { en: 'Widescreen (16:9)', uk: 'Широкоекранне (16:9)', ru: 'Широкоэкранное (16:9)' },
      },
    },
    mode: {
      label: { en: 'If the shape differs', uk: 'Якщо пропорції інші', ru: 'Если пропорции другие' },
      description: {
        uk: 'crop заповнює кадр і відрізає зайве; pad показує відео повністю зі смугами',
        ru: 'crop заполняет кадр и обрезает лишнее; pad показывает видео целиком с полосами',
      },
      options: {
        crop: { en: 'Crop', uk: 'Кадрувати', ru: 'Кадрировать' },
        pad: { en: 'Add bars', uk: 'Додати смуги', ru: 'Добавить полосы' },
      },
    },
    focus_x: {
      label: { en: 'Horizontal focus', uk: 'Фокус по горизонталі', ru: 'Фокус по горизонтали' },
      hint: {
        en: '0 is the left edge, 0.5 the center, 1 the right edge',
        uk: '0 — лівий край, 0.5 — центр, 1 — правий край',
        ru: '0 — левый край, 0.5 — центр, 1 — правый край',
      },
      description: {
        uk: 'Частина, яку зберігає кадрування: 0 — лівий край, 0.5 — центр',
        ru: 'Часть, которую сохраняет кадрирование: 0 — левый край, 0.5 — центр',
      },
      step: 0.05,
      control: 'point',
      group: 'frame',
      shown_when: { field: 'mode', values: ['crop'] },
    },
    focus_y: {
      label: { en: 'Vertical focus', uk: 'Фокус по вертикалі', ru: 'Фокус по вертикали' },
      hint: {
        en: '0 is the top edge, 0.5 the center, 1 the bottom edge',
        uk: '0 — верхній край, 0.5 — центр, 1 — нижній край',
        ru: '0 — верхний край, 0.5 — центр, 1 — нижний край',
      },
      description: {
        uk: 'Частина, яку зберігає кадрування: 0 — верх, 0.5 — центр',
        ru: 'Часть, которую сохраняет кадрирование: 0 — верх, 0.5 — центр',
      },
      step: 0.05,
      control: 'point',
      group: 'frame',
      shown_when: { field: 'mode', values: ['crop'] },
    },
    color: { ...BAR_COLOR, shown_when: { field: 'mode', values: ['pad'] } },
  },
  presets: {
    'Stories, Reels, Shorts': { uk: 'Сторіз, Reels, Shorts', ru: 'Сторис, Reels, Shorts' },
    'Square for feeds': { uk: 'Квадрат для стрічки', ru: 'Квадрат для ленты' },
    'Widescreen with bars': { uk: 'Широкоекранне зі смугами', ru: 'Широкоэкранное с полосами' },
  },
}
