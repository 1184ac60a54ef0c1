import type { FormOf } from '../../forms/form.ts'
import { LINK_URL } from '../../forms/link-fields.ts'
import type { link_info } from './link_info.ts'

export const linkInfoForm: FormOf<typeof link_info> = {
  group: 'link',
  title: { uk: 'Дані за посиланням', ru: 'Данные по ссылке' },
  description: {
    uk: 'Повертає те, що сайт публікує про відео: назву, статистику, розділи, субтитри, формати, коментарі.',
    ru: 'Возвращает то, что сайт публикует о видео: название, статистику, главы, субтитры, форматы, комментарии.',
  },
  summary: {
    en: 'Title, statistics, chapters and comments',
    uk: 'Назва, статистика, розділи й коментарі',
    ru: 'Название, статистика, главы и комментарии',
  },
  fields: {
    url: LINK_URL,
    include: {
      label: { en: 'Sections', uk: 'Розділи', ru: 'Разделы' },
      description: {
        uk: 'Розділи, які повертаються: info, stats, analytics, chapters, subtitles, thumbnails, formats, comments',
        ru: 'Возвращаемые разделы: info, stats, analytics, chapters, subtitles, thumbnails, formats, comments',
      },
      options: {
        info: { en: 'About the video', uk: 'Про відео', ru: 'О видео' },
        stats: { en: 'Statistics', uk_ru: 'Статистика' },
        analytics: { en: 'Analytics', uk: 'Аналітика', ru: 'Аналитика' },
        chapters: { en: 'Chapters', uk: 'Розділи відео', ru: 'Главы' },
        subtitles: { en: 'Subtitles', uk: 'Субтитри', ru: 'Субтитры' },
        thumbnails: { en: 'Thumbnails', uk: 'Мініатюри', ru: 'Миниатюры' },
        formats: { en: 'Formats', uk: 'Формати', ru: 'Форматы' },
        comments: { en: 'Comments', uk: 'Коментарі', ru: 'Комментарии' },
      },
    },
    comment_limit: {
      label: { en: 'Comments at most', uk: 'Коментарів щонайбільше', ru: 'Комментариев не больше' },
      description: {
        uk: 'Найбільша кількість коментарів, якщо include містить comments',
        ru: 'Наибольшее количество комментариев, если include содержит comments',
      },
      step: 1,
      control: 'slider',
      shown_when: { field: 'include', values: ['comments'] },
    },
    format: {
      label: { en: 'Format', uk_ru: 'Формат' },
      hint: {
        en: 'CSV is a table of the comments, or else of the statistics',
        uk: 'CSV — таблиця коментарів або, якщо їх немає, статистики',
        ru: 'CSV — таблица комментариев или, если их нет, статистики',
      },
      description: {
        uk: 'Формат результату: json або csv із таблицею коментарів (статистики, якщо коментарі не запитано)',
        ru: 'Формат результата: json или csv с таблицей комментариев (статистики, если комментарии не запрошены)',
      },
      options: { json: 'JSON', csv: 'CSV' },
    },
  },
  presets: {},
}
