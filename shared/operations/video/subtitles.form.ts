import type { FormOf } from '../../forms/form.ts'
import {
  CAPTION_POSITION,
  CAPTION_PRESET_NAMES,
  CAPTION_STYLE,
  LANGUAGE,
  SPEECH_QUALITY,
  TASK,
} from '../../forms/speech-fields.ts'
import type { subtitles } from './subtitles.ts'

const BURNED = { field: 'mode', values: ['burn'] } as const

export const subtitlesForm: FormOf<typeof subtitles> = {
  group: 'text',
  title: { uk: 'Субтитри', ru: 'Субтитры' },
  description: {
    uk: 'Розпізнає мовлення й вбудовує його в кадр як субтитри в одному з чотирьох стилів або додає доріжку субтитрів. Приймає й власні субтитри.',
    ru: 'Распознает речь и встраивает ее в кадр как субтитры в одном из четырех стилей либо добавляет дорожку субтитров. Принимает и ваши субтитры.',
  },
  summary: {
    en: 'Subtitles from speech, or your own',
    uk: 'Субтитри з мовлення або власні',
    ru: 'Субтитры из речи или ваши',
  },
  fields: {
    mode: {
      label: { en: 'Subtitles', uk: 'Субтитри', ru: 'Субтитры' },
      hint: {
        en: 'Viewers can turn a separate track on and off',
        uk: 'Окрему доріжку глядачі можуть вмикати й вимикати',
        ru: 'Отдельную дорожку зрители могут включать и выключать',
      },
      description: {
        uk: 'burn малює субтитри на кадрах; embed без перекодування додає доріжку, яку глядачі можуть увімкнути, і має бути останньою операцією',
        ru: 'burn рисует субтитры на кадрах; embed без перекодирования добавляет дорожку, которую зрители могут включить, и должна быть последней операцией',
      },
      options: {
        burn: { en: 'Drawn on the video', uk: 'Вбудовані в кадр', ru: 'Встроенные в кадр' },
        embed: { en: 'Separate track', uk: 'Окрема доріжка', ru: 'Отдельная дорожка' },
      },
    },
    style: {
      ...CAPTION_STYLE,
      description: { uk: 'Стиль вбудованих субтитрів', ru: 'Стиль встроенных субтитров' },
      shown_when: BURNED,
    },
    position: {
      ...CAPTION_POSITION,
      description: { uk: 'Положення вбудованих субтитрів', ru: 'Положение встроенных субтитров' },
      shown_when: BURNED,
    },
    font_size: {
      label: { en: 'Font size', uk: 'Розмір шрифту', ru: 'Размер шрифта' },
      hint: {
        en: 'Default: depends on the style',
        uk: 'За замовчуванням залежить від стилю',
        ru: 'По умолчанию зависит от стиля',
      },
      description: {
        uk: 'Розмір шрифту у відсотках від коротшої сторони. За замовчуванням залежить від стилю',
        ru: 'Размер шрифта в процентах от короткой стороны. По умолчанию зависит от стиля',
      },
      unit: 'percent',
      step: 0.5,
      control: 'slider',
      group: 'text',
      is_advanced: true,
      shown_when: BURNED,
    },
    text_color: {
      label: { en: 'Text color', uk: 'Колір тексту', ru: 'Цвет текста' },
      description: { uk: 'Колір тексту, наприклад #ffffff', ru: 'Цвет текста, например #ffffff' },
      control: 'color',
      group: 'colors',
      is_advanced: true,
      shown_when: BURNED,
    },
    highlight_color: {
      label: { en: 'Spoken words color', uk: 'Колір вимовлених слів', ru: 'Цвет произнесенных слов' },
      description: { uk: 'Караоке: колір уже вимовлених слів', ru: 'Караоке: цвет уже произнесенных слов' },
      control: 'color',
      group: 'colors',
      is_advanced: true,
      shown_when: { field: 'style', values: ['karaoke'] },
    },
    outline_color: {
      label: { en: 'Outline color', uk: 'Колір контуру', ru: 'Цвет контура' },
      description: { uk: 'Колір контуру тексту', ru: 'Цвет контура текста' },
      control: 'color',
      group: 'colors',
      is_advanced: true,
      shown_when: BURNED,
    },
    box_color: {
      label: { en: 'Box color', uk: 'Колір плашки', ru: 'Цвет плашки' },
      description: { uk: 'Стиль boxed: колір плашки', ru: 'Стиль boxed: цвет плашки' },
      control: 'color',
      group: 'colors',
      is_advanced: true,
      shown_when: { field: 'style', values: ['boxed'] },
    },
    uppercase: {
      label: { en: 'Uppercase', uk: 'Великими літерами', ru: 'Заглавными буквами' },
      description: {
        uk: 'Показує вбудовані субтитри великими літерами',
        ru: 'Показывает встроенные субтитры заглавными буквами',
      },
      group: 'text',
      is_advanced: true,
      shown_when: BURNED,
    },
    max_words: {
      label: { en: 'Words at once', uk: 'Слів одночасно', ru: 'Слов одновременно' },
      hint: {
        en: 'Default: as many as fit on two lines',
        uk: 'За замовчуванням — скільки вміститься у два рядки',
        ru: 'По умолчанию — сколько поместится в две строки',
      },
      description: {
        uk: 'Найбільша кількість слів на екрані. За замовчуванням — скільки вміститься у два рядки (для караоке на вертикальних відео: 4)',
        ru: 'Наибольшее количество слов на экране. По умолчанию — сколько поместится в две строки (для караоке на вертикальных видео: 4)',
      },
      step: 1,
      group: 'text',
      is_advanced: true,
    },
    language: LANGUAGE,
    task: TASK,
    quality: SPEECH_QUALITY,
    subtitles_url: {
      label: { en: 'Subtitle file', uk: 'Файл субтитрів', ru: 'Файл субтитров' },
      hint: {
        en: 'SRT, WebVTT or ASS, used instead of speech recognition',
        uk: 'SRT, WebVTT або ASS, замість розпізнавання мовлення',
        ru: 'SRT, WebVTT или ASS, вместо распознавания речи',
      },
      description: {
        uk: 'URL власних субтитрів (SRT, WebVTT або ASS), які використовуються замість розпізнавання мовлення. Якщо файл не в Unicode, його кодування визначається автоматично; language допомагає визначити його точніше.',
        ru: 'URL ваших субтитров (SRT, WebVTT или ASS), которые используются вместо распознавания речи. Если файл не в Unicode, его кодировка определяется автоматически; language помогает определить ее точнее.',
      },
      control: 'file',
      accepts: ['text'],
      group: 'own_subtitles',
      replaces: ['subtitles_text', 'task', 'quality'],
    },
    subtitles_text: {
      label: { en: 'Subtitle text', uk: 'Текст субтитрів', ru: 'Текст субтитров' },
      hint: {
        en: 'SRT, WebVTT or ASS, used instead of speech recognition',
        uk: 'SRT, WebVTT або ASS, замість розпізнавання мовлення',
        ru: 'SRT, WebVTT или ASS, вместо распознавания речи',
      },
      description: {
        uk: 'Власні субтитри як текст (SRT, WebVTT або ASS), які використовуються замість розпізнавання мовлення',
        ru: 'Ваши субтитры как текст (SRT, WebVTT или ASS), которые используются вместо распознавания речи',
      },
      control: 'captions',
      group: 'own_subtitles',
      replaces: ['task', 'quality'],
    },
  },
  presets: {
    ...CAPTION_PRESET_NAMES,
    'Subtitle track, without re-encoding': {
      uk: 'Доріжка субтитрів без перекодування',
      ru: 'Дорожка субтитров без перекодирования',
    },
  },
}
