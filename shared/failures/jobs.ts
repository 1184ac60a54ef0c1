import type { LongRun } from '../planning/longest-run.ts'
import { fromFacts, type Texts } from '../text/texts.ts'
import { lengthText, sizeText } from '../text/words.ts'
import type { FailureEntry } from './entry.ts'

export interface RefusedParameter {
  field: string | null
  message: Texts
}

/** Names the parameter, unless the sentence already begins with its name. */
function parameterText({ field, message }: RefusedParameter, locale: keyof Texts): string {
  const sentence = message[locale]
  const named = field === null || sentence.startsWith(field) ? sentence : `${field}: ${sentence}`
  return named.endsWith('.') ? named : `${named}.`
}

/** Writes an estimate in whole minutes. The limit itself is written exactly. */
function estimateText(locale: keyof Texts, seconds: number): string {
  return lengthText(locale, Math.ceil(seconds / 60) * 60)
}

/** Failures of any job. */
export const JOB_FAILURES = {
  parameter: {
    error_code: 'parameter_refused',
    text: fromFacts({
      en: (facts: RefusedParameter) => parameterText(facts, 'en'),
      uk: (facts) => parameterText(facts, 'uk'),
      ru: (facts) => parameterText(facts, 'ru'),
    }),
  },
  time_limit: {
    error_code: 'time_limit',
    text: {
      en: 'Processing exceeds the time limit of one job. Use a shorter or smaller file, or fewer operations.',
      uk: 'Обробка перевищує ліміт часу одного завдання. Використайте коротший або менший файл чи менше операцій.',
      ru: 'Обработка превышает лимит времени одного задания. Используйте файл короче или меньше либо меньше операций.',
    },
  },
  run_too_long: {
    error_code: 'time_limit',
    text: fromFacts({
      en: ({ seconds, limit_seconds }: LongRun) =>
        `Processing would take about ${estimateText('en', seconds)}; one job may take up to ${lengthText('en', limit_seconds)}. ` +
        'Use a shorter file or fewer operations. For video, a lower frame rate, H.264 instead of H.265 or VP9, or a faster preset also helps.',
      uk: ({ seconds, limit_seconds }) =>
        `Обробка тривала б приблизно ${estimateText('uk', seconds)}, а ліміт часу одного завдання — ${lengthText('uk', limit_seconds)}. ` +
        'Використайте коротший файл або менше операцій. Для відео також допоможе менша частота кадрів, H.264 замість H.265 чи VP9 або швидший пресет.',
      ru: ({ seconds, limit_seconds }) =>
        `Обработка длилась бы примерно ${estimateText('ru', seconds)}, а лимит времени одного задания — ${lengthText('ru', limit_seconds)}. ` +
        'Используйте файл короче или меньше операций. Для видео также поможет меньшая частота кадров, H.264 вместо H.265 или VP9 либо более быстрый пресет.',
    }),
  },
  output_too_large: {
    error_code: 'output_too_large',
    text: {
      en: 'The result exceeds the maximum file size. Use a lower quality, a smaller resolution or a shorter part.',
      uk: 'Результат перевищує найбільший розмір файлу. Зменште якість, роздільну здатність або тривалість.',
      ru: 'Результат превышает максимальный размер файла. Уменьшите качество, разрешение или длительность.',
    },
  },
  file_too_large: {
    error_code: 'input_too_large',
    text: fromFacts({
      en: ({ bytes_max }: { bytes_max: number }) =>
        `The file is larger than ${(bytes_max / 1024 ** 3).toFixed(1)} GB. Use a smaller file.`,
      uk: ({ bytes_max }) => `Файл перевищує ${sizeText('uk', bytes_max)}. Використайте менший файл.`,
      ru: ({ bytes_max }) =>
        `Файл превышает ${sizeText('ru', bytes_max)}. Используйте файл меньшего размера.`,
    }),
  },
  content_too_complex: {
    error_code: 'input_too_large',
    text: {
      en: 'The content has too much metadata or too many parts, such as pages, tracks or chapters. Remove some, or convert it first.',
      uk: 'Вміст має забагато метаданих або частин, наприклад сторінок, доріжок чи розділів. Вилучіть деякі або спершу конвертуйте його.',
      ru: 'В содержимом слишком много метаданных или частей, например страниц, дорожек или глав. Удалите часть или сначала конвертируйте его.',
    },
  },
  input_gone: {
    error_code: 'download_failed',
    text: {
      en: 'The input file is no longer in storage. Upload it again.',
      uk: 'Вхідного файлу вже немає у сховищі. Завантажте його ще раз.',
      ru: 'Входного файла больше нет в хранилище. Загрузите его еще раз.',
    },
  },
  input_changed: {
    error_code: 'download_failed',
    text: {
      en: 'The input file was replaced after it had been checked. Upload the new file as a new upload.',
      uk: 'Вхідний файл замінили після його перевірки. Завантажте новий файл як нове завантаження.',
      ru: 'Входной файл заменили после его проверки. Загрузите новый файл как новую загрузку.',
    },
  },
  text_too_large: {
    error_code: 'input_too_large',
    text: {
      en: 'The text file is larger than 2 MB. Use a smaller file.',
      uk: 'Текстовий файл перевищує 2 МБ. Використайте менший файл.',
      ru: 'Текстовый файл превышает 2 МБ. Используйте файл меньшего размера.',
    },
  },
  not_text: {
    error_code: 'wrong_kind',
    text: {
      en: 'The file is not a text file. Use plain text or subtitles.',
      uk: 'Файл не є текстовим. Використайте звичайний текст або субтитри.',
      ru: 'Файл не является текстовым. Используйте обычный текст или субтитры.',
    },
  },
  asset_missing: {
    error_code: 'parameter_refused',
    text: fromFacts({
      en: ({ field }: { field: string }) => `${field}: The file is missing. Upload it again.`,
      uk: ({ field }) => `${field}: файл відсутній. Завантажте його ще раз.`,
      ru: ({ field }) => `${field}: файл отсутствует. Загрузите его еще раз.`,
    }),
  },
  not_finished_in_time: {
    error_code: 'processing_failed',
    text: {
      en: 'The job did not finish within 24 hours. All its credits were refunded.',
      uk: 'Завдання не завершилося протягом 24 годин. Усі його бонуси повернуто.',
      ru: 'Задание не завершилось в течение 24 часов. Все его бонусы возвращены.',
    },
  },
  internal: {
    error_code: 'processing_failed',
    text: {
      en: 'The file could not be processed because of a problem on our side. Try again later.',
      uk: 'Файл не вдалося обробити через проблему на нашому боці. Спробуйте ще раз пізніше.',
      ru: 'Файл не удалось обработать из-за проблемы на нашей стороне. Попробуйте еще раз позже.',
    },
  },
} as const satisfies Record<string, FailureEntry>
