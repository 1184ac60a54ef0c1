import type { FormOf } from '../../forms/form.ts'
import { LANGUAGE, SPEECH_QUALITY, TASK, TRANSCRIPT_FORMAT } from '../../forms/speech-fields.ts'
import type { transcribe } from './transcribe.ts'

export const transcribeForm: FormOf<typeof transcribe> = {
  group: 'text',
  title: { uk: 'Розшифрувати відео', ru: 'Расшифровать видео' },
  description: {
    uk: 'Перетворює мовлення на текст, субтитри або JSON із часовими мітками слів.',
    ru: 'Превращает речь в текст, субтитры или JSON с временными метками слов.',
  },
  summary: {
    en: 'Speech as text or subtitles',
    uk: 'Мовлення як текст або субтитри',
    ru: 'Речь в виде текста или субтитров',
  },
  fields: {
    format: TRANSCRIPT_FORMAT,
    language: LANGUAGE,
    task: TASK,
    quality: SPEECH_QUALITY,
  },
  presets: {
    Text: { uk_ru: 'Текст' },
    'Subtitles (SRT)': { uk: 'Субтитри (SRT)', ru: 'Субтитры (SRT)' },
    'Web subtitles (VTT)': { uk: 'Вебсубтитри (VTT)', ru: 'Веб-субтитры (VTT)' },
    'Word timestamps (JSON)': { uk: 'Часові мітки слів (JSON)', ru: 'Временные метки слов (JSON)' },
  },
}
