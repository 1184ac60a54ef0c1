import type { FormOf } from '../../forms/form.ts'
import { LINK_URL } from '../../forms/link-fields.ts'
import { CAPTION_POSITION, CAPTION_STYLE, LANGUAGE, SPEECH_QUALITY, TASK } from '../../forms/speech-fields.ts'
import type { link_captions } from './link_captions.ts'

export const linkCaptionsForm: FormOf<typeof link_captions> = {
  group: 'link',
  title: { uk: 'Субтитри за посиланням', ru: 'Субтитры по ссылке' },
  description: {
    uk: 'Завантажує відео за посиланням, розпізнає мовлення й вбудовує субтитри в одному з чотирьох стилів.',
    ru: 'Скачивает видео по ссылке, распознает речь и встраивает субтитры в одном из четырех стилей.',
  },
  summary: {
    en: 'The video with captions of its speech',
    uk: 'Відео із субтитрами мовлення',
    ru: 'Видео с субтитрами речи',
  },
  fields: {
    url: LINK_URL,
    language: LANGUAGE,
    style: { ...CAPTION_STYLE, description: { uk: 'Стиль субтитрів', ru: 'Стиль субтитров' } },
    position: { ...CAPTION_POSITION, description: { uk: 'Положення субтитрів', ru: 'Положение субтитров' } },
    task: TASK,
    quality: SPEECH_QUALITY,
  },
  presets: {},
}
