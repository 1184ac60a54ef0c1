import type { FormOf } from '../../forms/form.ts'
import type { enhance_voice } from './enhance_voice.ts'

export const enhanceVoiceForm: FormOf<typeof enhance_voice> = {
  group: 'audio',
  title: { uk: 'Покращити голос', ru: 'Улучшить голос' },
  description: {
    uk: 'Робить мовлення чіткішим: менше шуму, м’якші шиплячі, рівна гучність (EBU R128). Відео копіюється.',
    ru: 'Делает речь разборчивее: меньше шума, мягче шипящие, ровная громкость (EBU R128). Видео копируется.',
  },
  summary: {
    en: 'Clearer speech with less noise and even loudness',
    uk: 'Чіткіше мовлення, менше шуму, рівна гучність',
    ru: 'Речь разборчивее, меньше шума, ровная громкость',
  },
  fields: {
    level: {
      label: { en: 'Strength', uk: 'Сила обробки', ru: 'Сила обработки' },
      description: { uk: 'Сила фільтрів нижче', ru: 'Сила фильтров ниже' },
      options: {
        light: { en: 'Light', uk: 'Слабка', ru: 'Слабая' },
        medium: { en: 'Medium', uk: 'Середня', ru: 'Средняя' },
        strong: { en: 'Strong', uk: 'Сильна', ru: 'Сильная' },
      },
    },
    denoise: {
      label: { en: 'Reduce noise', uk: 'Зменшити шум', ru: 'Убрать шум' },
      hint: { en: 'Hiss, hum, fans', uk: 'Шипіння, гудіння, вентилятори', ru: 'Шипение, гул, вентиляторы' },
      description: {
        uk: 'Зменшує рівномірний шум: шипіння, гудіння, вентилятори',
        ru: 'Уменьшает равномерный шум: шипение, гул, вентиляторы',
      },
      group: 'filters',
    },
    deess: {
      label: { en: 'Soften sibilants', uk: 'Пом’якшити шиплячі', ru: 'Смягчить шипящие' },
      description: { uk: 'Пом’якшує шиплячі', ru: 'Смягчает шипящие' },
      group: 'filters',
    },
    compress: {
      label: { en: 'Even out quiet and loud', uk: 'Вирівняти тихе й гучне', ru: 'Выровнять тихое и громкое' },
      description: {
        uk: 'Стискає динамічний діапазон, щоб тихі й гучні слова звучали рівніше',
        ru: 'Сжимает динамический диапазон, чтобы тихие и громкие слова звучали ровнее',
      },
      group: 'filters',
    },
    loudnorm: {
      label: { en: 'Normalize loudness', uk: 'Нормалізувати гучність', ru: 'Нормализовать громкость' },
      description: {
        uk: 'Нормалізує гучність до target_lufs (EBU R128, два проходи); false зберігає початкову гучність',
        ru: 'Нормализует громкость до target_lufs (EBU R128, два прохода); false сохраняет исходную громкость',
      },
      group: 'loudness',
    },
    target_lufs: {
      label: { en: 'Target loudness', uk: 'Цільова гучність', ru: 'Целевая громкость' },
      hint: {
        en: '-16 for podcasts and the web, -14 for music platforms, -23 for broadcast',
        uk: '-16 для подкастів і вебу, -14 для музичних платформ, -23 для ефіру',
        ru: '-16 для подкастов и сайтов, -14 для музыкальных платформ, -23 для эфира',
      },
      description: {
        uk: 'Цільова гучність у LUFS: -16 для подкастів і вебу, -14 для музичних платформ, -23 для ефіру',
        ru: 'Целевая громкость в LUFS: -16 для подкастов и сайтов, -14 для музыкальных платформ, -23 для эфира',
      },
      unit: 'lufs',
      step: 0.5,
      control: 'slider',
      group: 'loudness',
      is_advanced: true,
      shown_when: { field: 'loudnorm', values: [true] },
    },
  },
  presets: {
    Podcast: { uk_ru: 'Подкаст' },
    'Noisy environment': { uk: 'Шумне місце', ru: 'Шумное место' },
    'Clean recording': { uk: 'Чистий запис', ru: 'Чистая запись' },
    'Loudness only': { uk: 'Лише гучність', ru: 'Только громкость' },
  },
}
