import { CLIP_START, DURATION_LIMITED } from '../../forms/clip-fields.ts'
import type { FormOf } from '../../forms/form.ts'
import { OFFSET_X, OFFSET_Y, ZOOM } from '../../forms/picture-fields.ts'
import type { circle } from './circle.ts'

export const circleForm: FormOf<typeof circle> = {
  group: 'create',
  title: { uk: 'Кругле відео', ru: 'Круглое видео' },
  description: {
    uk: 'Створює кругле відеоповідомлення: квадратне відео до 60 секунд, яке Telegram та інші показують як коло.',
    ru: 'Создает круглое видеосообщение: квадратное видео до 60 секунд, которое Telegram и другие показывают как круг.',
  },
  summary: {
    en: 'A video message for Telegram',
    uk: 'Відеоповідомлення для Telegram',
    ru: 'Видеосообщение для Telegram',
  },
  fields: {
    start: CLIP_START,
    duration: DURATION_LIMITED,
    diameter: {
      label: { en: 'Diameter', uk: 'Діаметр', ru: 'Диаметр' },
      description: {
        uk: 'Ширина й висота в пікселях, парне число',
        ru: 'Ширина и высота в пикселях, четное число',
      },
      unit: 'px',
      step: 2,
      control: 'slider',
      group: 'size',
      is_advanced: true,
    },
    zoom: {
      ...ZOOM,
      description: {
        uk: 'Множник масштабу: 1 показує найбільший квадрат, що вміщується, 2 — половину його ширини',
        ru: 'Множитель масштаба: 1 показывает наибольший квадрат, который помещается, 2 — половину его ширины',
      },
    },
    offset_x: {
      ...OFFSET_X,
      description: {
        uk: 'Положення квадрата по горизонталі: -1 — лівий край, 0 — центр, 1 — правий край',
        ru: 'Положение квадрата по горизонтали: -1 — левый край, 0 — центр, 1 — правый край',
      },
    },
    offset_y: {
      ...OFFSET_Y,
      description: {
        uk: 'Положення квадрата по вертикалі: -1 — верхній край, 0 — центр, 1 — нижній край',
        ru: 'Положение квадрата по вертикали: -1 — верхний край, 0 — центр, 1 — нижний край',
      },
    },
    bg_color: {
      label: { en: 'Background color', uk: 'Колір фону', ru: 'Цвет фона' },
      hint: {
        en: 'Default: messengers cut out the circle themselves',
        uk: 'За замовчуванням месенджери самі вирізають коло',
        ru: 'По умолчанию мессенджеры сами вырезают круг',
      },
      description: {
        uk: 'Малює коло на фоні цього кольору. За замовчуванням — звичайний квадрат, який месенджери самі обрізають до кола',
        ru: 'Рисует круг на фоне этого цвета. По умолчанию — обычный квадрат, который мессенджеры сами обрезают до круга',
      },
      control: 'color',
      is_advanced: true,
    },
  },
  presets: {
    Telegram: 'same',
    'First 15 seconds': { uk: 'Перші 15 секунд', ru: 'Первые 15 секунд' },
    Closer: { uk: 'Ближче', ru: 'Ближе' },
    'Round on white': { uk: 'Коло на білому', ru: 'Круг на белом' },
  },
}
