import type { FormOf } from '../../forms/form.ts'
import { HEIGHT, WIDTH } from '../../forms/picture-fields.ts'
import type { social } from './social.ts'

export const socialForm: FormOf<typeof social> = {
  group: 'resize',
  title: { uk: 'Розмір для соцмереж', ru: 'Размер для соцсетей' },
  description: {
    uk: 'Готує зображення для соцмережі: кадрує до заповнення або показує повністю на фоні.',
    ru: 'Готовит изображение для соцсети: кадрирует до заполнения или показывает целиком на фоне.',
  },
  summary: {
    en: 'Sizes for posts, stories and covers',
    uk: 'Розміри для дописів, сторіз і обкладинок',
    ru: 'Размеры для постов, сторис и обложек',
  },
  fields: {
    width: WIDTH,
    height: HEIGHT,
    resize_mode: {
      label: { en: 'If the shape differs', uk: 'Якщо пропорції інші', ru: 'Если пропорции другие' },
      description: {
        uk: 'fill кадрує до заданих ширини й висоти, fit показує зображення повністю на фоні, exact розтягує його',
        ru: 'fill кадрирует до заданных ширины и высоты, fit показывает изображение целиком на фоне, exact растягивает его',
      },
      options: {
        fill: { en: 'Crop', uk: 'Кадрувати', ru: 'Кадрировать' },
        fit: { en: 'Show all on a background', uk: 'Показати все на фоні', ru: 'Показать все на фоне' },
        exact: { en: 'Stretch', uk: 'Розтягнути', ru: 'Растянуть' },
      },
    },
    bg_color: {
      label: { en: 'Background color', uk: 'Колір фону', ru: 'Цвет фона' },
      hint: {
        en: 'Also replaces transparency',
        uk: 'Також замінює прозорість',
        ru: 'Также заменяет прозрачность',
      },
      description: {
        uk: 'Колір фону з resize_mode fit. Він також замінює прозорість',
        ru: 'Цвет фона с resize_mode fit. Он также заменяет прозрачность',
      },
      control: 'color',
    },
  },
  presets: {
    'Square post 1080': { uk: 'Квадратний допис 1080', ru: 'Квадратный пост 1080' },
    'Portrait post 1080 x 1350': { uk: 'Портретний допис 1080 × 1350', ru: 'Портретный пост 1080 × 1350' },
    'Story 1080 x 1920': { uk: 'Сторіз 1080 × 1920', ru: 'Сторис 1080 × 1920' },
    'Link preview 1200 x 630': { uk: 'Прев’ю посилання 1200 × 630', ru: 'Превью ссылки 1200 × 630' },
    'Video cover 1280 x 720': { uk: 'Обкладинка відео 1280 × 720', ru: 'Обложка видео 1280 × 720' },
    'Header 1500 x 500': { uk_ru: 'Шапка 1500 × 500' },
  },
}
