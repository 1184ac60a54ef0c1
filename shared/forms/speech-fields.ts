import type { FieldForm } from './form.ts'
import { languageName } from './language-name.ts'

type Choice = FieldForm & { options: unknown }

export const LANGUAGE = {
  label: { en: 'Spoken language', uk: 'Мова мовлення', ru: 'Язык речи' },
  description: {
    uk: 'Мова мовлення як код ISO 639-1, наприклад en, uk або de; auto визначає її автоматично',
    ru: 'Язык речи как код ISO 639-1, например en, uk или de; auto определяет его автоматически',
  },
  group: 'speech',
  options: languageName,
} as const satisfies Choice

export const TASK = {
  label: { en: 'Language of the text', uk: 'Мова тексту', ru: 'Язык текста' },
  description: {
    uk: 'transcribe зберігає мову мовлення, translate перекладає англійською',
    ru: 'transcribe сохраняет язык речи, translate переводит на английский',
  },
  group: 'speech',
  options: {
    transcribe: { en: 'As spoken', uk: 'Як в оригіналі', ru: 'Как в оригинале' },
    translate: { en: 'Translate to English', uk: 'Переклад англійською', ru: 'Перевод на английский' },
  },
} as const satisfies Choice

export const SPEECH_QUALITY = {
  label: { en: 'Accuracy', uk: 'Точність', ru: 'Точность' },
  hint: {
    en: 'More accurate recognition takes longer',
    uk: 'Точніше розпізнавання триває довше',
    ru: 'Более точное распознавание идет дольше',
  },
  description: {
    uk: 'Модель розпізнавання мовлення серед наявних на сервері: fast — мала, accurate — найкраща',
    ru: 'Модель распознавания речи среди имеющихся на сервере: fast — маленькая, accurate — лучшая',
  },
  group: 'speech',
  options: {
    fast: { en: 'Fast', uk: 'Швидко', ru: 'Быстро' },
    balanced: { en: 'Balanced', uk: 'Збалансовано', ru: 'Сбалансированно' },
    accurate: { en: 'Accurate', uk_ru: 'Точно' },
  },
} as const satisfies Choice

/** Formats of a transcript. */
export const TRANSCRIPT_FORMAT = {
  label: { en: 'Format', uk_ru: 'Формат' },
  description: {
    uk: 'txt — звичайний текст, srt і vtt — субтитри, json — із часовими мітками слів',
    ru: 'txt — обычный текст, srt и vtt — субтитры, json — с временными метками слов',
  },
  options: {
    txt: { en: 'Text (TXT)', uk_ru: 'Текст (TXT)' },
    srt: { en: 'Subtitles (SRT)', uk: 'Субтитри (SRT)', ru: 'Субтитры (SRT)' },
    vtt: { en: 'Web subtitles (VTT)', uk: 'Вебсубтитри (VTT)', ru: 'Веб-субтитры (VTT)' },
    json: { en: 'Word timestamps (JSON)', uk: 'Часові мітки слів (JSON)', ru: 'Временные метки слов (JSON)' },
  },
} as const satisfies Choice

/** Style of captions; its description differs between operations. */
export const CAPTION_STYLE = {
  label: { en: 'Style', uk_ru: 'Стиль' },
  options: {
    karaoke: { en: 'Karaoke', uk_ru: 'Караоке' },
    boxed: { en: 'Boxed', uk: 'На плашці', ru: 'На плашке' },
    clean: { en: 'Clean', uk: 'Простий', ru: 'Простой' },
    yellow: { en: 'Yellow', uk: 'Жовтий', ru: 'Желтый' },
  },
} as const

/** Position of captions; its description differs between operations. */
export const CAPTION_POSITION = {
  label: { en: 'Position', uk: 'Положення', ru: 'Положение' },
  options: {
    bottom: { en: 'Bottom', uk: 'Унизу', ru: 'Внизу' },
    middle: { en: 'Middle', uk: 'Посередині', ru: 'Посередине' },
    top: { en: 'Top', uk: 'Угорі', ru: 'Вверху' },
  },
} as const

/** Translations of the presets that captions and subtitles share. */
export const CAPTION_PRESET_NAMES = {
  Clean: { uk: 'Простий', ru: 'Простой' },
  'Karaoke: word by word': { uk_ru: 'Караоке: слово за словом' },
  'Boxed: readable on any background': {
    uk: 'На плашці: читається на будь-якому фоні',
    ru: 'На плашке: читается на любом фоне',
  },
  'Yellow: cinema style': { uk: 'Жовтий: як у кіно', ru: 'Желтый: как в кино' },
} as const
