import type { FormOf } from '../../forms/form.ts'
import { LANGUAGE, SPEECH_QUALITY } from '../../forms/speech-fields.ts'
import type { auto_edit } from './auto_edit.ts'

export const autoEditForm: FormOf<typeof auto_edit> = {
  group: 'cut',
  title: { uk_ru: 'Автомонтаж' },
  description: {
    uk: 'Прибирає паузи, слова-паразити й повторні дублі. Відео та звук лишаються синхронними.',
    ru: 'Убирает паузы, слова-паразиты и повторные дубли. Видео и звук остаются синхронными.',
  },
  summary: {
    en: 'Without pauses, fillers and repeated takes',
    uk: 'Без пауз, слів-паразитів і повторних дублів',
    ru: 'Без пауз, слов-паразитов и повторных дублей',
  },
  fields: {
    language: LANGUAGE,
    max_pause: {
      label: {
        en: 'Longest pause to keep',
        uk: 'Найдовша пауза без змін',
        ru: 'Самая длинная пауза без изменений',
      },
      hint: {
        en: 'Longer pauses are shortened',
        uk: 'Довші паузи скорочуються',
        ru: 'Более длинные паузы сокращаются',
      },
      description: {
        uk: 'Найдовша пауза, яка лишається без змін, у секундах',
        ru: 'Самая длинная пауза, которая остается без изменений, в секундах',
      },
      unit: 's',
      step: 0.05,
      control: 'slider',
      group: 'pauses',
    },
    keep_pause: {
      label: { en: 'Shorten pauses to', uk: 'Скорочувати паузи до', ru: 'Сокращать паузы до' },
      description: {
        uk: 'Тривалість, до якої скорочуються довші паузи, у секундах',
        ru: 'Длительность, до которой сокращаются более длинные паузы, в секундах',
      },
      unit: 's',
      step: 0.01,
      control: 'slider',
      group: 'pauses',
    },
    padding: {
      label: { en: 'Padding around words', uk: 'Запас навколо слів', ru: 'Запас вокруг слов' },
      hint: {
        en: 'Kept before and after each word at a cut',
        uk: 'Залишається до і після слова на стику',
        ru: 'Остается до и после слова на стыке',
      },
      description: {
        uk: 'Запас до і після слова на стику, у секундах',
        ru: 'Запас до и после слова на стыке, в секундах',
      },
      unit: 's',
      step: 0.05,
      control: 'slider',
      group: 'pauses',
      is_advanced: true,
    },
    remove_fillers: {
      label: { en: 'Remove fillers', uk: 'Прибирати слова-паразити', ru: 'Убирать слова-паразиты' },
      hint: { en: 'Um, uh and similar sounds', uk: '«Е-е», «гм» та подібне', ru: '«Э-э», «гм» и подобное' },
      description: { uk: 'Прибирає «е-е», «гм» та подібне', ru: 'Убирает «э-э», «гм» и подобное' },
    },
    remove_retakes: {
      label: { en: 'Remove retakes', uk: 'Прибирати повторні дублі', ru: 'Убирать повторные дубли' },
      hint: {
        en: 'Of repeated phrases, the last one is kept',
        uk: 'Із повторених фраз лишається остання',
        ru: 'Из повторенных фраз остается последняя',
      },
      description: {
        uk: 'Прибирає фрази, які одразу повторюються; лишає останній дубль',
        ru: 'Убирает фразы, которые сразу повторяются; оставляет последний дубль',
      },
    },
    quality: SPEECH_QUALITY,
  },
  presets: {
    Gentle: { uk: 'М’яко', ru: 'Мягко' },
    Balanced: { uk: 'Збалансовано', ru: 'Сбалансированно' },
    'Tight, for social media': { uk: 'Щільно, для соцмереж', ru: 'Плотно, для соцсетей' },
    'Raw recording with retakes': { uk: 'Чорновий запис із дублями', ru: 'Черновая запись с дублями' },
  },
}
