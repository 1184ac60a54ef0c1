import type { FormOf } from '../../forms/form.ts'
import { LINK_URL } from '../../forms/link-fields.ts'
import type { download_thumbnail } from './download_thumbnail.ts'

export const downloadThumbnailForm: FormOf<typeof download_thumbnail> = {
  group: 'link',
  title: { uk: 'Завантажити мініатюру', ru: 'Скачать миниатюру' },
  description: {
    uk: 'Завантажує найбільшу мініатюру відео, яку надає сайт.',
    ru: 'Скачивает самую большую миниатюру видео, которую предоставляет сайт.',
  },
  summary: {
    en: 'The largest thumbnail of a video',
    uk: 'Найбільша мініатюра відео',
    ru: 'Самая большая миниатюра видео',
  },
  fields: {
    url: LINK_URL,
    thumbnail_format: {
      label: { en: 'Format', uk_ru: 'Формат' },
      description: { uk: 'Формат результату', ru: 'Формат результата' },
      options: { jpg: 'JPEG', png: 'PNG', webp: 'WebP' },
    },
  },
  presets: {},
}
