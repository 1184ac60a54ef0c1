import { READABLE_FORMATS } from '../ffmpeg/inputs.ts'
import { fromFacts } from '../text/texts.ts'
import { lengthText, tierText } from '../text/words.ts'
import type { FailureEntry } from './entry.ts'

export interface TooLong {
  seconds: number
  limit_seconds: number
  tier: string
}

const TRACKS: Record<string, { uk: string; ru: string }> = {
  audio: { uk: 'Аудіо', ru: 'Аудио' },
  video: { uk: 'Відео', ru: 'Видео' },
  file: { uk: 'Файл', ru: 'Файл' },
}

/** Failures of videos and audio. */
export const MEDIA_FAILURES = {
  input_too_long: {
    error_code: 'input_too_long',
    text: fromFacts({
      en: ({ seconds, limit_seconds, tier }: TooLong) =>
        `The video is ${lengthText('en', seconds)} long; the ${tier} tier allows up to ${lengthText('en', limit_seconds)}. Use a shorter video.`,
      uk: ({ seconds, limit_seconds, tier }) =>
        `Тривалість відео — ${lengthText('uk', seconds)}; рівень «${tierText('uk', tier)}» дозволяє до ${lengthText('uk', limit_seconds)}. Використайте коротше відео.`,
      ru: ({ seconds, limit_seconds, tier }) =>
        `Длительность видео — ${lengthText('ru', seconds)}; уровень «${tierText('ru', tier)}» допускает до ${lengthText('ru', limit_seconds)}. Используйте более короткое видео.`,
    }),
  },
  longer_than_declared: {
    error_code: 'input_too_long',
    text: fromFacts({
      en: ({ limit_seconds, tier }: Omit<TooLong, 'seconds'>) =>
        `The video is longer than its header declares; the ${tier} tier allows up to ${lengthText('en', limit_seconds)}. Use a shorter video.`,
      uk: ({ limit_seconds, tier }) =>
        `Відео довше, ніж заявлено в його заголовку; рівень «${tierText('uk', tier)}» дозволяє до ${lengthText('uk', limit_seconds)}. Використайте коротше відео.`,
      ru: ({ limit_seconds, tier }) =>
        `Видео длиннее, чем заявлено в его заголовке; уровень «${tierText('ru', tier)}» допускает до ${lengthText('ru', limit_seconds)}. Используйте более короткое видео.`,
    }),
  },
  media_unreadable: {
    error_code: 'input_unreadable',
    text: {
      en: `The file is not a readable video or audio file: it is truncated, corrupt or in an unsupported format. Supported formats: ${READABLE_FORMATS}.`,
      uk: `Файл не є придатним відео чи аудіо: він обірваний, пошкоджений або має непідтримуваний формат. Підтримувані формати: ${READABLE_FORMATS}.`,
      ru: `Файл не является пригодным видео или аудио: он оборван, поврежден или имеет неподдерживаемый формат. Поддерживаемые форматы: ${READABLE_FORMATS}.`,
    },
  },
  audio_only: {
    error_code: 'wrong_kind',
    text: {
      en: 'The file has audio only. Use a file with a video track.',
      uk: 'Файл містить лише аудіо. Використайте файл із відеодоріжкою.',
      ru: 'Файл содержит только аудио. Используйте файл с видеодорожкой.',
    },
  },
  no_audio: {
    error_code: 'wrong_kind',
    text: {
      en: 'The file has no audio track. Use a file with audio.',
      uk: 'У файлі немає аудіодоріжки. Використайте файл з аудіо.',
      ru: 'В файле нет аудиодорожки. Используйте файл с аудио.',
    },
  },
  media_endless: {
    error_code: 'input_too_large',
    text: {
      en: 'The file takes too long to analyze or has too many tracks and chapters. Convert it first.',
      uk: 'Аналіз файлу триває задовго, або він має забагато доріжок і розділів. Спершу конвертуйте його.',
      ru: 'Анализ файла занимает слишком много времени, или в нем слишком много дорожек и глав. Сначала конвертируйте его.',
    },
  },
  media_protected: {
    error_code: 'input_unreadable',
    text: {
      en: 'The file is protected: its content is encrypted (DRM). Upload a copy without protection.',
      uk: 'Файл захищено: його вміст зашифровано (DRM). Завантажте копію без захисту.',
      ru: 'Файл защищен: его содержимое зашифровано (DRM). Загрузите копию без защиты.',
    },
  },
  unsupported_codec: {
    error_code: 'input_unreadable',
    text: fromFacts({
      en: ({ what, title }: { what: string; title: string }) =>
        `The ${what} is encoded as ${title}, which is not supported. Convert it to a common codec first.`,
      uk: ({ what, title }) =>
        `${TRACKS[what]?.uk ?? what}: кодування ${title} не підтримується. Спершу конвертуйте файл, вибравши поширений кодек.`,
      ru: ({ what, title }) =>
        `${TRACKS[what]?.ru ?? what}: кодирование ${title} не поддерживается. Сначала конвертируйте файл, выбрав распространенный кодек.`,
    }),
  },
  overlapping_units: {
    error_code: 'input_unreadable',
    text: {
      en: 'The video is corrupt: its metadata units overlap. Convert the video first, then remove its metadata.',
      uk: 'Відео пошкоджено: блоки його метаданих перекриваються. Спершу конвертуйте відео, а потім вилучіть метадані.',
      ru: 'Видео повреждено: блоки его метаданных перекрываются. Сначала конвертируйте видео, а затем удалите метаданные.',
    },
  },
  media_failed: {
    error_code: 'processing_failed',
    text: {
      en: 'The file could not be processed: it may be truncated or corrupt. Check that it plays, then upload the whole file.',
      uk: 'Не вдалося обробити файл: можливо, він обірваний або пошкоджений. Перевірте, чи він відтворюється, і завантажте весь файл.',
      ru: 'Не удалось обработать файл: возможно, он оборван или поврежден. Проверьте, что он воспроизводится, и загрузите весь файл.',
    },
  },
  result_empty: {
    error_code: 'processing_failed',
    text: {
      en: 'The result would be empty. Choose a time range within the video, and check that the file is complete.',
      uk: 'Результат був би порожнім. Виберіть проміжок у межах відео і перевірте, чи файл повний.',
      ru: 'Результат был бы пустым. Выберите промежуток в пределах видео и проверьте, что файл полный.',
    },
  },
} as const satisfies Record<string, FailureEntry>
