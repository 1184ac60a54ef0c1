import type { FormOf } from '../../forms/form.ts'
import { HEIGHT, WIDTH } from '../../forms/picture-fields.ts'
import type { resize } from './resize.ts'

export const resizeForm: FormOf<typeof resize> = {
  group: 'resize',
  title: { uk: 'Змінити розмір зображення', ru: 'Изменить размер изображения' },
  description: {
    uk: 'Змінює розмір зображення: вписує, кадрує до заповнення, розтягує або масштабує у відсотках.',
    ru: 'Изменяет размер изображения: вписывает, кадрирует до заполнения, растягивает или масштабирует в процентах.',
  },
  summary: {
    en: 'To a width and height, or by percent',
    uk: 'До заданих ширини й висоти або у відсотках',
    ru: 'До заданных ширины и высоты или в процентах',
  },
  fields: {
    width: { ...WIDTH, shown_when: { field: 'resize_mode', values: ['fit', 'fill', 'exact'] } },
    height: { ...HEIGHT, shown_when: { field: 'resize_mode', values: ['fit', 'fill', 'exact'] } },
    resize_mode: {
      label: { en: 'Mode', uk: 'Спосіб', ru: 'Способ' },
      description: {
        uk: 'Як змінюється розмір зображення. fit вписує в задані ширину й висоту зі збереженням пропорцій; fill кадрує точно до них; exact розтягує до них; scale використовує percent.',
        ru: 'Как изменяется размер изображения. fit вписывает в заданные ширину и высоту с сохранением пропорций; fill кадрирует точно до них; exact растягивает до них; scale использует percent.',
      },
      options: {
        fit: { en: 'Scale to fit', uk: 'Вписати', ru: 'Вписать' },
        fill: { en: 'Crop to fill', uk: 'Кадрувати до заповнення', ru: 'Кадрировать до заполнения' },
        exact: { en: 'Stretch', uk: 'Розтягнути', ru: 'Растянуть' },
        scale: { en: 'By percent', uk: 'У відсотках', ru: 'В процентах' },
      },
    },
    gravity: {
      label: { en: 'Part to keep', uk: 'Що залишити', ru: 'Что оставить' },
      description: {
        uk: 'Частина зображення, яку залишає resize_mode fill. auto залишає те, на що дивляться люди, наприклад обличчя, а entropy — частину з найбільшою кількістю деталей; обидва працюють із нерухомими зображеннями',
        ru: 'Часть изображения, которую оставляет resize_mode fill. auto оставляет то, на что смотрят люди, например лицо, а entropy — часть с наибольшим количеством деталей; оба работают с неподвижными изображениями',
      },
      options: {
        center: { en: 'Center', uk_ru: 'Центр' },
        auto: { en: 'What people look at', uk: 'Те, що привертає погляд', ru: 'То, что привлекает взгляд' },
        entropy: { en: 'Most details', uk: 'Найбільше деталей', ru: 'Больше всего деталей' },
      },
      shown_when: { field: 'resize_mode', values: ['fill'] },
    },
    percent: {
      label: { en: 'Scale', uk_ru: 'Масштаб' },
      hint: { en: '100 is the original size', uk: '100 — початковий розмір', ru: '100 — исходный размер' },
      description: {
        uk: 'Масштаб у відсотках від початкового розміру. Обов’язковий з resize_mode scale',
        ru: 'Масштаб в процентах от исходного размера. Обязателен с resize_mode scale',
      },
      unit: 'percent',
      step: 1,
      group: 'size',
      shown_when: { field: 'resize_mode', values: ['scale'] },
    },
  },
  presets: {
    'Full HD': 'same',
    'Square 1080': { uk_ru: 'Квадрат 1080' },
    Half: { uk_ru: 'Половина' },
  },
}
