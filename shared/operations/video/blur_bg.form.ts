import type { FormOf } from '../../forms/form.ts'
import type { blur_bg } from './blur_bg.ts'

export const blurBgForm: FormOf<typeof blur_bg> = {
  group: 'resize',
  title: { uk: 'Розмитий фон', ru: 'Размытый фон' },
  description: {
    uk: 'Вписує відео в полотно інших пропорцій без кадрування. Вільне місце займає те саме відео, розмите.',
    ru: 'Вписывает видео в холст других пропорций без кадрирования. Свободное место занимает то же видео, размытое.',
  },
  summary: {
    en: 'Another aspect ratio without cropping',
    uk: 'Інші пропорції без кадрування',
    ru: 'Другие пропорции без кадрирования',
  },
  fields: {
    aspect: {
      label: { en: 'Aspect ratio', uk: 'Пропорції', ru: 'Пропорции' },
      description: { uk: 'Пропорції полотна, ширина до висоти', ru: 'Пропорции холста, ширина к высоте' },
      options: 'values',
    },
    resolution: {
      label: { en: 'Shorter side', uk: 'Коротша сторона', ru: 'Короткая сторона' },
      hint: {
        en: 'Default: as large as the video needs, up to 1080',
        uk: 'За замовчуванням — скільки потрібно для відео, до 1080',
        ru: 'По умолчанию — сколько нужно для видео, до 1080',
      },
      description: {
        uk: 'Коротша сторона полотна в пікселях. За замовчуванням — скільки потрібно для відео, до 1080',
        ru: 'Короткая сторона холста в пикселях. По умолчанию — сколько нужно для видео, до 1080',
      },
      unit: 'px',
      step: 2,
      is_advanced: true,
    },
    blur: {
      label: { en: 'Blur', uk: 'Розмиття', ru: 'Размытие' },
      description: { uk: 'Сила розмиття від 1 до 100', ru: 'Сила размытия от 1 до 100' },
      step: 1,
      control: 'slider',
      group: 'background',
    },
    zoom: {
      label: { en: 'Background zoom', uk: 'Масштаб фону', ru: 'Масштаб фона' },
      description: { uk: 'Множник масштабу фону', ru: 'Множитель масштаба фона' },
      unit: 'times',
      step: 0.1,
      control: 'slider',
      group: 'background',
      is_advanced: true,
    },
    dim: {
      label: { en: 'Darken', uk: 'Затемнення', ru: 'Затемнение' },
      description: { uk: 'Затемнення фону від 0 до 0.9', ru: 'Затемнение фона от 0 до 0.9' },
      step: 0.05,
      control: 'slider',
      group: 'background',
      is_advanced: true,
    },
    scale: {
      label: { en: 'Video scale', uk: 'Масштаб відео', ru: 'Масштаб видео' },
      hint: {
        en: 'Below 1, a margin is left on all sides',
        uk: 'Менше ніж 1 — з полями з усіх боків',
        ru: 'Меньше 1 — с полями со всех сторон',
      },
      description: {
        uk: 'Масштаб відео на передньому плані; менше ніж 1 — з полями з усіх боків',
        ru: 'Масштаб видео на переднем плане; меньше 1 — с полями со всех сторон',
      },
      unit: 'times',
      step: 0.05,
      control: 'slider',
      is_advanced: true,
    },
  },
  presets: {
    'YouTube (16:9)': 'same',
    'Stories, Reels, Shorts, TikTok (9:16)': {
      uk: 'Сторіз, Reels, Shorts, TikTok (9:16)',
      ru: 'Сторис, Reels, Shorts, TikTok (9:16)',
    },
    'Square (1:1)': { uk_ru: 'Квадрат (1:1)' },
    'Feed portrait (4:5)': { uk: 'Портрет для стрічки (4:5)', ru: 'Портрет для ленты (4:5)' },
  },
}
