import type { FormOf } from '../../forms/form.ts'
import { LINK_URL } from '../../forms/link-fields.ts'
import { LANGUAGE, SPEECH_QUALITY, TASK, TRANSCRIPT_FORMAT } from '../../forms/speech-fields.ts'
import type { link_transcribe } from './link_transcribe.ts'

export const linkTranscribeForm: FormOf<typeof link_transcribe> = {
  group: 'link',
  title: { uk: 'Розшифрувати за посиланням', ru: 'Расшифровать по ссылке' },
  description: {
    uk: 'Перетворює мовлення у відео за посиланням на текст, субтитри або JSON із часовими мітками слів.',
    ru: 'Превращает речь в видео по ссылке в текст, субтитры или JSON с временными метками слов.',
  },
  summary: {
    en: 'Speech of a video as text or subtitles',
    uk: 'Мовлення з відео як текст або субтитри',
    ru: 'Речь из видео в виде текста или субтитров',
  },
  fields: {
    url: LINK_URL,
    language: LANGUAGE,
    transcript_format: TRANSCRIPT_FORMAT,
    task: TASK,
    quality: SPEECH_QUALITY,
  },
  presets: {},
}
