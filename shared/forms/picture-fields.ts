import type { FieldForm } from './form.ts'

/** Labels of the nine positions in a frame. Aliases have none. */
const POSITIONS = {
  tl: { en: 'Top left', uk: 'Угорі ліворуч', ru: 'Вверху слева' },
  t: { en: 'Top', uk: 'Угорі', ru: 'Вверху' },
  tr: { en: 'Top right', uk: 'Угорі праворуч', ru: 'Вверху справа' },
  l: { en: 'Left', uk: 'Ліворуч', ru: 'Слева' },
  c: { en: 'Center', uk_ru: 'По центру' },
  r: { en: 'Right', uk: 'Праворуч', ru: 'Справа' },
  bl: { en: 'Bottom left', uk: 'Унизу ліворуч', ru: 'Внизу слева' },
  b: { en: 'Bottom', uk: 'Унизу', ru: 'Внизу' },
  br: { en: 'Bottom right', uk: 'Унизу праворуч', ru: 'Внизу справа' },
  tc: null,
  cl: null,
  center: null,
  cr: null,
  bc: null,
} as const

/** One of nine positions; the description differs between operations. */
export const POSITION = {
  label: { en: 'Position', uk: 'Положення', ru: 'Положение' },
  control: 'position',
  group: 'position',
  options: POSITIONS,
} as const satisfies Partial<FieldForm> & { options: object }

export const WIDTH = {
  label: { en: 'Width', uk_ru: 'Ширина' },
  description: { uk: 'Ширина в пікселях', ru: 'Ширина в пикселях' },
  unit: 'px',
  step: 1,
  group: 'size',
} as const satisfies FieldForm

export const HEIGHT = {
  label: { en: 'Height', uk: 'Висота', ru: 'Высота' },
  description: { uk: 'Висота в пікселях', ru: 'Высота в пикселях' },
  unit: 'px',
  step: 1,
  group: 'size',
} as const satisfies FieldForm

/** Color of the bars that fill a frame. */
export const BAR_COLOR = {
  label: { en: 'Bar color', uk: 'Колір смуг', ru: 'Цвет полос' },
  description: { uk: 'Колір смуг у режимі pad', ru: 'Цвет полос в режиме pad' },
  control: 'color',
} as const satisfies FieldForm

/** Zoom to a circle; the descriptions of zoom and offsets differ between video and image. */
export const ZOOM = {
  label: { en: 'Zoom', uk_ru: 'Масштаб' },
  unit: 'times',
  step: 0.1,
  control: 'slider',
  group: 'frame',
} as const satisfies Partial<FieldForm>

export const OFFSET_X = {
  label: { en: 'Horizontal offset', uk: 'Зсув по горизонталі', ru: 'Сдвиг по горизонтали' },
  step: 0.05,
  control: 'point',
  group: 'frame',
  hint: {
    en: '-1 is the left edge, 0 the center, 1 the right edge',
    uk: '-1 — лівий край, 0 — центр, 1 — правий край',
    ru: '-1 — левый край, 0 — центр, 1 — правый край',
  },
} as const satisfies Partial<FieldForm>

export const OFFSET_Y = {
  label: { en: 'Vertical offset', uk: 'Зсув по вертикалі', ru: 'Сдвиг по вертикали' },
  step: 0.05,
  control: 'point',
  group: 'frame',
  hint: {
    en: '-1 is the top edge, 0 the center, 1 the bottom edge',
    uk: '-1 — верхній край, 0 — центр, 1 — нижній край',
    ru: '-1 — верхний край, 0 — центр, 1 — нижний край',
  },
} as const satisfies Partial<FieldForm>
