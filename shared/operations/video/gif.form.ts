import { CLIP_START, DURATION_LIMITED } from '../../forms/clip-fields.ts'
import type { FormOf } from '../../forms/form.ts'
import { WIDTH } from '../../forms/picture-fields.ts'
import type { gif } from './gif.ts'

export const gifForm: FormOf<typeof gif> = {
  group: 'create',
  title: { uk: 'GIF з відео', ru: 'GIF из видео' },
  description: {
    uk: 'Створює анімований GIF із фрагмента відео з оптимізованою палітрою кольорів.',
    ru: 'Создает анимированный GIF из фрагмента видео с оптимизированной палитрой.',
  },
  summary: {
    en: 'An animated GIF from part of a video',
    uk: 'Анімований GIF із фрагмента відео',
    ru: 'Анимированный GIF из фрагмента видео',
  },
  fields: {
    start: CLIP_START,
    duration: DURATION_LIMITED,
    fps: {
      label: { en: 'Frame rate', uk: 'Частота кадрів', ru: 'Частота кадров' },
      hint: {
        en: 'A lower rate makes smaller files',
        uk: 'Що нижча частота, то менший файл',
        ru: 'Чем ниже частота, тем меньше файл',
      },
      description: {
        uk: 'Кадрів на секунду; що їх менше, то менший файл',
        ru: 'Кадров в секунду; чем их меньше, тем меньше файл',
      },
      unit: 'fps',
      step: 1,
      control: 'slider',
    },
    width: {
      ...WIDTH,
      hint: {
        en: 'Default: the width of the video, up to 480',
        uk: 'За замовчуванням — ширина відео, до 480',
        ru: 'По умолчанию — ширина видео, до 480',
      },
      description: {
        uk: 'Ширина в пікселях; висота зберігає пропорції. За замовчуванням — ширина відео, до 480',
        ru: 'Ширина в пикселях; высота сохраняет пропорции. По умолчанию — ширина видео, до 480',
      },
    },
    loops: {
      label: { en: 'Loops', uk: 'Повторів', ru: 'Повторов' },
      hint: { en: '0 repeats forever', uk: '0 — нескінченно', ru: '0 — бесконечно' },
      description: {
        uk: 'Скільки разів відтворюється анімація; 0 — нескінченно',
        ru: 'Сколько раз воспроизводится анимация; 0 — бесконечно',
      },
      step: 1,
      is_advanced: true,
    },
    colors: {
      label: { en: 'Colors', uk: 'Кольорів', ru: 'Цветов' },
      hint: {
        en: 'Fewer colors make smaller files',
        uk: 'Що менше кольорів, то менший файл',
        ru: 'Чем меньше цветов, тем меньше файл',
      },
      description: {
        uk: 'Кількість кольорів палітри; що їх менше, то менший файл',
        ru: 'Количество цветов палитры; чем их меньше, тем меньше файл',
      },
      step: 1,
      control: 'slider',
      group: 'palette',
      is_advanced: true,
    },
    dither: {
      label: { en: 'Dithering', uk_ru: 'Дизеринг' },
      description: {
        uk: 'Дизеринг кольорів, яких немає в палітрі; none дає найменші файли',
        ru: 'Дизеринг цветов, которых нет в палитре; none дает самые маленькие файлы',
      },
      group: 'palette',
      is_advanced: true,
      options: {
        none: {
          en: 'None (smallest file)',
          uk: 'Без дизерингу (найменший файл)',
          ru: 'Без дизеринга (файл меньше)',
        },
        ordered: { en: 'Ordered', uk: 'Упорядкований', ru: 'Упорядоченный' },
        smooth: { en: 'Smooth', uk: 'Плавний', ru: 'Плавный' },
      },
    },
  },
  presets: {
    'For messengers': { uk: 'Для месенджерів', ru: 'Для мессенджеров' },
    Small: { uk_ru: 'Маленький' },
    'Smooth and large': { uk: 'Плавний і великий', ru: 'Плавный и большой' },
  },
}
