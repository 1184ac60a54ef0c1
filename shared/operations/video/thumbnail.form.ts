import type { FormOf } from '../../forms/form.ts'
import { FRAME_AT, SMART_FRAME, STILL_FORMAT } from '../../forms/frame-fields.ts'
import { WIDTH } from '../../forms/picture-fields.ts'
import type { thumbnail } from './thumbnail.ts'

export const thumbnailForm: FormOf<typeof thumbnail> = {
  group: 'create',
  title: { uk: 'Мініатюра відео', ru: 'Миниатюра видео' },
  description: {
    uk: 'Зберігає один кадр як зображення: у заданий момент або чіткий і світлий, знайдений автоматично.',
    ru: 'Сохраняет один кадр как изображение: в заданный момент или четкий и светлый, найденный автоматически.',
  },
  summary: {
    en: 'One sharp frame as an image',
    uk: 'Один чіткий кадр як зображення',
    ru: 'Один четкий кадр как изображение',
  },
  fields: {
    at: {
      ...FRAME_AT,
      hint: {
        en: 'Default: near the beginning',
        uk: 'За замовчуванням — ближче до початку',
        ru: 'По умолчанию — ближе к началу',
      },
      description: {
        uk: 'Момент відео в секундах. За замовчуванням — 10 % від початку, а зі smart — усе відео',
        ru: 'Момент видео в секундах. По умолчанию — 10 % от начала, а со smart — все видео',
      },
    },
    smart: {
      ...SMART_FRAME,
      description: {
        uk: 'Шукає чіткий, світлий і детальний кадр; якщо задано at, то поруч із ним',
        ru: 'Ищет четкий, светлый и детальный кадр; если задан at, то рядом с ним',
      },
    },
    format: STILL_FORMAT,
    width: {
      ...WIDTH,
      hint: {
        en: 'Default: the width of the video',
        uk: 'За замовчуванням — ширина відео',
        ru: 'По умолчанию — ширина видео',
      },
      description: {
        uk: 'Ширина в пікселях; висота зберігає пропорції. За замовчуванням — ширина відео',
        ru: 'Ширина в пикселях; высота сохраняет пропорции. По умолчанию — ширина видео',
      },
    },
  },
  presets: {
    'Best frame': { uk: 'Найкращий кадр', ru: 'Лучший кадр' },
    'First frame': { uk: 'Перший кадр', ru: 'Первый кадр' },
    'Small WebP for a list': { uk: 'Маленький WebP для списку', ru: 'Маленький WebP для списка' },
  },
}
