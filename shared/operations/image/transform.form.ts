import type { FormOf } from '../../forms/form.ts'
import type { transform } from './transform.ts'

export const transformForm: FormOf<typeof transform> = {
  group: 'picture',
  title: { uk: 'Повернути й віддзеркалити', ru: 'Повернуть и отразить' },
  description: {
    uk: 'Віддзеркалює зображення, а потім повертає його на будь-який кут.',
    ru: 'Отражает изображение, а затем поворачивает его на любой угол.',
  },
  summary: {
    en: 'By any angle, or mirrored',
    uk: 'На будь-який кут або дзеркально',
    ru: 'На любой угол или зеркально',
  },
  fields: {
    rotate: {
      label: { en: 'Rotation', uk_ru: 'Поворот' },
      hint: { en: 'Counterclockwise', uk: 'Проти годинникової стрілки', ru: 'Против часовой стрелки' },
      description: {
        uk: 'Поворот у градусах, проти годинникової стрілки',
        ru: 'Поворот в градусах, против часовой стрелки',
      },
      unit: 'degrees',
      step: 1,
      control: 'slider',
    },
    flip: {
      label: { en: 'Flip', uk: 'Віддзеркалення', ru: 'Отражение' },
      description: {
        uk: 'Віддзеркалення: h — по горизонталі (дзеркально), v — по вертикалі (догори ногами)',
        ru: 'Отражение: h — по горизонтали (зеркально), v — по вертикали (вверх ногами)',
      },
      options: {
        h: { en: 'Horizontal', uk: 'По горизонталі', ru: 'По горизонтали' },
        v: { en: 'Vertical', uk: 'По вертикалі', ru: 'По вертикали' },
      },
    },
    bg_color: {
      label: { en: 'Corner color', uk: 'Колір кутів', ru: 'Цвет углов' },
      hint: {
        en: 'Default: transparent, or white in a JPEG',
        uk: 'За замовчуванням — прозорий, у JPEG — білий',
        ru: 'По умолчанию — прозрачный, в JPEG — белый',
      },
      description: {
        uk: 'Колір кутів, які відкриває поворот. За замовчуванням — прозорий, у JPEG — білий',
        ru: 'Цвет углов, которые открывает поворот. По умолчанию — прозрачный, в JPEG — белый',
      },
      control: 'color',
      is_advanced: true,
    },
  },
  presets: {
    'Rotate left': { uk: 'Повернути ліворуч', ru: 'Повернуть влево' },
    'Rotate right': { uk: 'Повернути праворуч', ru: 'Повернуть вправо' },
    'Upside down': { uk: 'Догори ногами', ru: 'Вверх ногами' },
    Mirror: { uk: 'Дзеркально', ru: 'Зеркально' },
  },
}
