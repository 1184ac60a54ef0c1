import type { FormOf } from '../../forms/form.ts'
import type { flip } from './flip.ts'

export const flipForm: FormOf<typeof flip> = {
  group: 'picture',
  title: { uk: 'Віддзеркалити відео', ru: 'Отразить видео' },
  description: {
    uk: 'Віддзеркалює відео по горизонталі або вертикалі.',
    ru: 'Отражает видео по горизонтали или вертикали.',
  },
  summary: {
    en: 'Mirrored horizontally or vertically',
    uk: 'Дзеркально по горизонталі або вертикалі',
    ru: 'Зеркально по горизонтали или вертикали',
  },
  fields: {
    axis: {
      label: { en: 'Direction', uk: 'Напрямок', ru: 'Направление' },
      description: {
        uk: 'h віддзеркалює по горизонталі (як фронтальна камера), v — по вертикалі',
        ru: 'h отражает по горизонтали (как фронтальная камера), v — по вертикали',
      },
      options: {
        h: { en: 'Horizontal', uk: 'По горизонталі', ru: 'По горизонтали' },
        v: { en: 'Vertical', uk: 'По вертикалі', ru: 'По вертикали' },
      },
    },
  },
  presets: {
    Horizontal: { uk: 'По горизонталі', ru: 'По горизонтали' },
    Vertical: { uk: 'По вертикалі', ru: 'По вертикали' },
  },
}
