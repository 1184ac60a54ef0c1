import type { WATERMARK } from '../ffmpeg/watermark-overlay.ts'
import type { FormOf } from './form.ts'
import { POSITION } from './picture-fields.ts'

/** The form shared by the video and image operations. */
export const WATERMARK_FORM: FormOf<typeof WATERMARK> = {
  group: 'text',
  title: { uk: 'Водяний знак', ru: 'Водяной знак' },
  description: {
    uk: 'Накладає текст або логотип в одному з дев’яти положень чи з повторенням по всій площі.',
    ru: 'Накладывает текст или логотип в одном из девяти положений либо с повторением по всей площади.',
  },
  summary: {
    en: 'Your text or logo on top',
    uk: 'Ваш текст або логотип поверх кадру',
    ru: 'Ваш текст или логотип поверх кадра',
  },
  fields: {
    text: {
      label: { en: 'Text', uk_ru: 'Текст' },
      description: {
        uk: 'Текст для накладання, будь-якою писемністю; розриви рядків зберігаються',
        ru: 'Накладываемый текст, на любой письменности; разрывы строк сохраняются',
      },
      control: 'multiline',
    },
    logo_url: {
      label: { en: 'Logo', uk_ru: 'Логотип' },
      hint: {
        en: 'Drawn instead of text',
        uk: 'Накладається замість тексту',
        ru: 'Накладывается вместо текста',
      },
      description: {
        uk: 'URL логотипа, який накладається замість тексту: PNG, JPEG, WebP, AVIF, HEIC, TIFF або GIF',
        ru: 'URL логотипа, который накладывается вместо текста: PNG, JPEG, WebP, AVIF, HEIC, TIFF или GIF',
      },
      control: 'file',
      accepts: ['image'],
      replaces: ['text', 'color'],
    },
    position: {
      ...POSITION,
      description: {
        uk: 'Положення, від tl (угорі ліворуч) до br (унизу праворуч)',
        ru: 'Положение, от tl (вверху слева) до br (внизу справа)',
      },
      shown_when: { field: 'tiled', values: [false] },
    },
    opacity: {
      label: { en: 'Opacity', uk: 'Непрозорість', ru: 'Непрозрачность' },
      description: {
        uk: 'Непрозорість від 0.05 до 1 (повністю непрозорий)',
        ru: 'Непрозрачность от 0.05 до 1 (полностью непрозрачный)',
      },
      step: 0.05,
      control: 'slider',
    },
    size: {
      label: { en: 'Size', uk: 'Розмір', ru: 'Размер' },
      hint: { en: 'Share of the width', uk: 'Частка ширини', ru: 'Доля ширины' },
      description: {
        uk: 'Ширина водяного знака у відсотках від ширини відео чи зображення',
        ru: 'Ширина водяного знака в процентах от ширины видео или изображения',
      },
      unit: 'percent',
      step: 1,
      control: 'slider',
    },
    color: {
      label: { en: 'Text color', uk: 'Колір тексту', ru: 'Цвет текста' },
      description: {
        uk: 'Колір тексту: #rrggbb, #rgb або назва, наприклад white',
        ru: 'Цвет текста: #rrggbb, #rgb или название, например white',
      },
      control: 'color',
    },
    margin: {
      label: { en: 'Margin', uk: 'Відступ від країв', ru: 'Отступ от краев' },
      description: {
        uk: 'Відступ від країв у відсотках від ширини',
        ru: 'Отступ от краев в процентах от ширины',
      },
      unit: 'percent',
      step: 1,
      control: 'slider',
      group: 'position',
      is_advanced: true,
      shown_when: { field: 'tiled', values: [false] },
    },
    tiled: {
      label: {
        en: 'Repeat over the whole area',
        uk: 'Повторювати по всій площі',
        ru: 'Повторять по всей площади',
      },
      description: {
        uk: 'Повторює водяний знак по всій площі; текст нахилено',
        ru: 'Повторяет водяной знак по всей площади; текст наклонен',
      },
    },
  },
  presets: {
    'Name in the corner': { uk: 'Ім’я в кутку', ru: 'Имя в углу' },
    'Large in the center': { uk: 'Великий по центру', ru: 'Крупный по центру' },
    Tiled: { uk: 'Повторення по всій площі', ru: 'Повторение по всей площади' },
  },
}
