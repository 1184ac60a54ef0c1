import type { FormOf } from '../../forms/form.ts'
import { FRAME_AT, SMART_FRAME, STILL_FORMAT } from '../../forms/frame-fields.ts'
import { POSITION } from '../../forms/picture-fields.ts'
import type { cover } from './cover.ts'

export const coverForm: FormOf<typeof cover> = {
  group: 'create',
  title: { uk: 'Обкладинка відео', ru: 'Обложка видео' },
  description: {
    uk: 'Створює обкладинку з найкращого або вибраного кадру, із заголовком і підзаголовком.',
    ru: 'Создает обложку из лучшего или выбранного кадра, с заголовком и подзаголовком.',
  },
  summary: {
    en: 'A cover image with your title',
    uk: 'Обкладинка з вашим заголовком',
    ru: 'Обложка с вашим заголовком',
  },
  fields: {
    title: {
      label: { en: 'Title', uk_ru: 'Заголовок' },
      description: {
        uk: 'Текст заголовка, будь-якою писемністю; переноситься й масштабується, щоб поміститися',
        ru: 'Текст заголовка, на любой письменности; переносится и масштабируется, чтобы поместиться',
      },
      group: 'text',
    },
    subtitle: {
      label: { en: 'Subtitle', uk: 'Підзаголовок', ru: 'Подзаголовок' },
      description: { uk: 'Текст підзаголовка під заголовком', ru: 'Текст подзаголовка под заголовком' },
      group: 'text',
    },
    at: {
      ...FRAME_AT,
      hint: {
        en: 'Default: the best frame',
        uk: 'За замовчуванням — найкращий кадр',
        ru: 'По умолчанию — лучший кадр',
      },
      description: {
        uk: 'Момент кадру в секундах. За замовчуванням шукається найкращий кадр',
        ru: 'Момент кадра в секундах. По умолчанию ищется лучший кадр',
      },
    },
    smart: {
      ...SMART_FRAME,
      description: {
        uk: 'Шукає чіткий, світлий і детальний кадр; якщо задано at, то поруч із ним. За замовчуванням true, якщо at не задано',
        ru: 'Ищет четкий, светлый и детальный кадр; если задан at, то рядом с ним. По умолчанию true, если at не задан',
      },
    },
    size: {
      label: { en: 'Size', uk: 'Розмір', ru: 'Размер' },
      description: {
        uk: 'Розміри зображення. youtube — 1280x720, vertical — 1080x1920, square — 1080x1080, portrait — 1080x1350, widescreen — 1920x1080; original зберігає розміри відео',
        ru: 'Размеры изображения. youtube — 1280x720, vertical — 1080x1920, square — 1080x1080, portrait — 1080x1350, widescreen — 1920x1080; original сохраняет размеры видео',
      },
      options: {
        youtube: 'YouTube (1280 × 720)',
        vertical: {
          en: 'Vertical (1080 × 1920)',
          uk: 'Вертикальна (1080 × 1920)',
          ru: 'Вертикальная (1080 × 1920)',
        },
        square: { en: 'Square (1080 × 1080)', uk: 'Квадратна (1080 × 1080)', ru: 'Квадратная (1080 × 1080)' },
        portrait: {
          en: 'Portrait (1080 × 1350)',
          uk: 'Портретна (1080 × 1350)',
          ru: 'Портретная (1080 × 1350)',
        },
        widescreen: {
          en: 'Widescreen (1920 × 1080)',
          uk: 'Широкоекранна (1920 × 1080)',
          ru: 'Широкоэкранная (1920 × 1080)',
        },
        original: { en: 'Same as the video', uk: 'Як у відео', ru: 'Как у видео' },
      },
    },
    fit: {
      label: { en: 'If the shape differs', uk: 'Якщо пропорції інші', ru: 'Если пропорции другие' },
      description: {
        uk: 'Якщо пропорції відрізняються: crop кадрує, blur показує кадр повністю на розмитому фоні',
        ru: 'Если пропорции отличаются: crop кадрирует, blur показывает кадр целиком на размытом фоне',
      },
      options: {
        crop: { en: 'Crop', uk: 'Кадрувати', ru: 'Кадрировать' },
        blur: { en: 'Blurred background', uk: 'Розмитий фон', ru: 'Размытый фон' },
      },
    },
    format: STILL_FORMAT,
    position: {
      ...POSITION,
      label: { en: 'Text position', uk: 'Положення тексту', ru: 'Положение текста' },
      description: {
        uk: 'Положення тексту, від tl (угорі ліворуч) до br (унизу праворуч)',
        ru: 'Положение текста, от tl (вверху слева) до br (внизу справа)',
      },
      group: 'text',
    },
    color: {
      label: { en: 'Title color', uk: 'Колір заголовка', ru: 'Цвет заголовка' },
      description: {
        uk: 'Колір заголовка: #rrggbb, #rgb або назва, наприклад white',
        ru: 'Цвет заголовка: #rrggbb, #rgb или название, например white',
      },
      control: 'color',
      group: 'colors',
    },
    subtitle_color: {
      label: { en: 'Subtitle color', uk: 'Колір підзаголовка', ru: 'Цвет подзаголовка' },
      hint: {
        en: 'Default: the color of the title',
        uk: 'За замовчуванням — колір заголовка',
        ru: 'По умолчанию — цвет заголовка',
      },
      description: {
        uk: 'Колір підзаголовка. За замовчуванням — колір заголовка',
        ru: 'Цвет подзаголовка. По умолчанию — цвет заголовка',
      },
      control: 'color',
      group: 'colors',
      is_advanced: true,
    },
    text_size: {
      label: { en: 'Title size', uk: 'Розмір заголовка', ru: 'Размер заголовка' },
      hint: {
        en: 'Reduced if the text does not fit',
        uk: 'Зменшується, якщо текст не вміщується',
        ru: 'Уменьшается, если текст не помещается',
      },
      description: {
        uk: 'Розмір шрифту заголовка у відсотках від коротшої сторони; зменшується, якщо текст не вміщується',
        ru: 'Размер шрифта заголовка в процентах от короткой стороны; уменьшается, если текст не помещается',
      },
      unit: 'percent',
      step: 0.5,
      control: 'slider',
      group: 'text',
    },
    shade: {
      label: { en: 'Shade behind the text', uk: 'Затемнення під текстом', ru: 'Затемнение под текстом' },
      description: {
        uk: 'Затемнює зображення під текстом: gradient — з боку тексту, full — усюди, none — ніде',
        ru: 'Затемняет изображение под текстом: gradient — со стороны текста, full — везде, none — нигде',
      },
      group: 'background',
      options: {
        gradient: { en: 'Gradient', uk: 'Градієнт', ru: 'Градиент' },
        full: { en: 'Everywhere', uk: 'Усюди', ru: 'Везде' },
        none: { en: 'None', uk: 'Немає', ru: 'Нет' },
      },
    },
    shade_opacity: {
      label: { en: 'Shade opacity', uk: 'Сила затемнення', ru: 'Сила затемнения' },
      description: { uk: 'Непрозорість затемнення від 0 до 1', ru: 'Непрозрачность затемнения от 0 до 1' },
      step: 0.05,
      control: 'slider',
      group: 'background',
      is_advanced: true,
      shown_when: { field: 'shade', values: ['gradient', 'full'] },
    },
  },
  presets: {
    'YouTube thumbnail': { uk: 'Мініатюра для YouTube', ru: 'Миниатюра для YouTube' },
    'Reels or TikTok cover': { uk: 'Обкладинка для Reels або TikTok', ru: 'Обложка для Reels или TikTok' },
    'Square post': { uk: 'Квадратний допис', ru: 'Квадратный пост' },
    'Yellow headline': { uk: 'Жовтий заголовок', ru: 'Желтый заголовок' },
  },
}
