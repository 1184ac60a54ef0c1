import { CLIP_START, DURATION_TO_END } from '../../forms/clip-fields.ts'
import type { FormOf } from '../../forms/form.ts'
import { LINK_URL } from '../../forms/link-fields.ts'
import type { download_video } from './download_video.ts'

export const downloadVideoForm: FormOf<typeof download_video> = {
  group: 'link',
  title: { uk: 'Завантажити відео', ru: 'Скачать видео' },
  description: {
    uk: 'Завантажує відео за посиланням у форматі, який надає сайт. Фрагмент відрізається за найближчим ключовим кадром.',
    ru: 'Скачивает видео по ссылке в формате, который предоставляет сайт. Фрагмент отрезается по ближайшему ключевому кадру.',
  },
  summary: {
    en: 'The video in the format of the site',
    uk: 'Відео у форматі сайту',
    ru: 'Видео в формате сайта',
  },
  fields: {
    url: LINK_URL,
    quality: {
      label: { en: 'Quality', uk: 'Якість', ru: 'Качество' },
      description: {
        uk: 'Найвища роздільна здатність для завантаження',
        ru: 'Наибольшее разрешение для скачивания',
      },
      options: {
        best: { en: 'Best available', uk: 'Найкраща доступна', ru: 'Лучшее доступное' },
        '2160p': '2160p (4K)',
        '1440p': '1440p',
        '1080p': '1080p (Full HD)',
        '720p': '720p (HD)',
        '480p': '480p',
        '360p': '360p',
      },
    },
    start: CLIP_START,
    duration: DURATION_TO_END,
  },
  presets: {},
}
