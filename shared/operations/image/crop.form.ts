import type { FormOf } from '../../forms/form.ts'
import { HEIGHT, WIDTH } from '../../forms/picture-fields.ts'
import type { crop } from './crop.ts'

const FREE = { en: 'Any area', uk: 'Будь-яка область', ru: 'Любая область' }
const IF_FREE = { field: 'crop_aspect', values: ['free'] } as const
const IF_ASPECT = {
  field: 'crop_aspect',
  values: ['1:1', '4:5', '5:4', '4:3', '3:4', '3:2', '2:3', '16:9', '9:16', '21:9'],
} as const

export const cropForm: FormOf<typeof crop> = {
  group: 'resize',
  title: { uk: 'Кадрувати зображення', ru: 'Кадрировать изображение' },
  description: {
    uk: 'Кадрує зображення до пропорцій, наприклад 1:1 або 16:9, за центром, одним із країв чи тим, що привертає погляд, або до будь-якої області.',
    ru: 'Кадрирует изображение до пропорций, например 1:1 или 16:9, по центру, одному из краев или тому, что привлекает взгляд, или до любой области.',
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
        uk: 'Пропорції результату, ширина до висоти; free кадрує точно до left, top, width і height',
        ru: 'Пропорции результата, ширина к высоте; free кадрирует точно до left, top, width и height',
      },
      options: (option, locale) => (option === 'free' ? FREE[locale] : option),
    },
    gravity: {
      label: { en: 'Part to keep', uk: 'Що залишити', ru: 'Что оставить' },
      description: {
        uk: 'Частина зображення, яка залишається. top і bottom діють, коли обрізається висота, left і right — коли ширина. auto залишає те, на що дивляться люди, наприклад обличчя, а entropy — частину з найбільшою кількістю деталей; обидва працюють із нерухомими зображеннями',
        ru: 'Часть изображения, которая остается. top и bottom действуют, когда обрезается высота, left и right — когда ширина. auto оставляет то, на что смотрят люди, например лицо, а entropy — часть с наибольшим количеством деталей; оба работают с неподвижными изображениями',
      },
      options: {
        center: { en: 'Center', uk_ru: 'Центр' },
        top: { en: 'Top', uk_ru: 'Верх' },
        bottom: { en: 'Bottom', uk_ru: 'Низ' },
        left: { en: 'Left', uk: 'Лівий край', ru: 'Левый край' },
        right: { en: 'Right', uk: 'Правий край', ru: 'Правый край' },
        auto: { en: 'What people look at', uk: 'Те, що привертає погляд', ru: 'То, что привлекает взгляд' },
        entropy: { en: 'Most details', uk: 'Найбільше деталей', ru: 'Больше всего деталей' },
      },
      shown_when: IF_ASPECT,
    },
    left: {
      label: { en: 'Left edge', uk: 'Лівий край', ru: 'Левый край' },
      description: {
        uk: 'Лівий край області в пікселях зображення, повернутого як слід',
        ru: 'Левый край области в пикселях изображения, повернутого как следует',
      },
      unit: 'px',
      step: 1,
      group: 'position',
      shown_when: IF_FREE,
    },
    top: {
      label: { en: 'Top edge', uk: 'Верхній край', ru: 'Верхний край' },
      description: {
        uk: 'Верхній край області в пікселях зображення, повернутого як слід',
        ru: 'Верхний край области в пикселях изображения, повернутого как следует',
      },
      unit: 'px',
      step: 1,
      group: 'position',
      shown_when: IF_FREE,
    },
    width: {
      ...WIDTH,
      description: {
        uk: 'Ширина області в пікселях. Обов’язкова з crop_aspect free',
        ru: 'Ширина области в пикселях. Обязательна с crop_aspect free',
      },
      shown_when: IF_FREE,
    },
    height: {
      ...HEIGHT,
      description: {
        uk: 'Висота області в пікселях. Обов’язкова з crop_aspect free',
        ru: 'Высота области в пикселях. Обязательна с crop_aspect free',
      },
      shown_when: IF_FREE,
    },
  },
  presets: {
    Square: { uk_ru: 'Квадрат' },
    'Portrait 4:5': { uk_ru: 'Портрет 4:5' },
    'Story 9:16': { uk: 'Сторіз 9:16', ru: 'Сторис 9:16' },
    'Widescreen 16:9': { uk: 'Широкоекранне 16:9', ru: 'Широкоэкранное 16:9' },
  },
}
