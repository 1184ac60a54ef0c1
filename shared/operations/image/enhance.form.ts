import type { FieldForm, FormOf } from '../../forms/form.ts'
import type { enhance } from './enhance.ts'

const TONE = {
  step: 0.05,
  unit: 'times',
  control: 'slider',
  group: 'tones',
} as const satisfies Partial<FieldForm>

export const enhanceForm: FormOf<typeof enhance> = {
  group: 'picture',
  title: { uk: 'Покращити зображення', ru: 'Улучшить изображение' },
  description: {
    uk: 'Налаштовує яскравість, контраст, насиченість, різкість і розмиття або робить зображення чорно-білим.',
    ru: 'Настраивает яркость, контраст, насыщенность, резкость и размытие или делает изображение черно-белым.',
  },
  summary: {
    en: 'Brightness, contrast, colors and sharpness',
    uk: 'Яскравість, контраст, кольори й різкість',
    ru: 'Яркость, контраст, цвета и резкость',
  },
  fields: {
    autocontrast: {
      label: { en: 'Automatic contrast', uk_ru: 'Автоконтраст' },
      hint: {
        en: 'Stretches the tones to full black and white',
        uk: 'Розтягує тони до чистого чорного й білого',
        ru: 'Растягивает тона до чистого черного и белого',
      },
      description: {
        uk: 'Розтягує тональний діапазон до чистого чорного й білого перед усіма іншими налаштуваннями',
        ru: 'Растягивает тональный диапазон до чистого черного и белого перед всеми остальными настройками',
      },
    },
    brightness: {
      ...TONE,
      label: { en: 'Brightness', uk: 'Яскравість', ru: 'Яркость' },
      hint: { en: '1 is unchanged', uk: '1 — без змін', ru: '1 — без изменений' },
      description: {
        uk: 'Множник яскравості: 0 — чорне зображення, 1 — без змін',
        ru: 'Множитель яркости: 0 — черное изображение, 1 — без изменений',
      },
    },
    contrast: {
      ...TONE,
      label: { en: 'Contrast', uk_ru: 'Контраст' },
      hint: { en: '1 is unchanged', uk: '1 — без змін', ru: '1 — без изменений' },
      description: {
        uk: 'Множник контрасту: 0 — рівномірно сіре зображення, 1 — без змін',
        ru: 'Множитель контраста: 0 — равномерно серое изображение, 1 — без изменений',
      },
    },
    saturation: {
      ...TONE,
      label: { en: 'Saturation', uk: 'Насиченість', ru: 'Насыщенность' },
      hint: { en: '1 is unchanged', uk: '1 — без змін', ru: '1 — без изменений' },
      description: {
        uk: 'Множник насиченості: 0 — чорно-біле зображення, 1 — без змін',
        ru: 'Множитель насыщенности: 0 — черно-белое изображение, 1 — без изменений',
      },
    },
    sharpness: {
      ...TONE,
      label: { en: 'Sharpness', uk: 'Різкість', ru: 'Резкость' },
      hint: { en: '1 is unchanged', uk: '1 — без змін', ru: '1 — без изменений' },
      description: {
        uk: 'Множник різкості: 0 — м’яке зображення, 1 — без змін',
        ru: 'Множитель резкости: 0 — мягкое изображение, 1 — без изменений',
      },
    },
    blur: {
      label: { en: 'Blur', uk: 'Розмиття', ru: 'Размытие' },
      description: { uk: 'Радіус розмиття в пікселях', ru: 'Радиус размытия в пикселях' },
      unit: 'px',
      step: 0.5,
      control: 'slider',
    },
    grayscale: {
      label: { en: 'Black and white', uk: 'Чорно-біле', ru: 'Черно-белое' },
      description: { uk: 'Чорно-біле зображення', ru: 'Черно-белое изображение' },
    },
  },
  presets: {
    'Automatic contrast': { uk_ru: 'Автоконтраст' },
    Vivid: { uk: 'Яскраво', ru: 'Ярко' },
    'Black and white': { uk: 'Чорно-біле', ru: 'Черно-белое' },
    'Soft background': { uk: 'М’який фон', ru: 'Мягкий фон' },
  },
}
