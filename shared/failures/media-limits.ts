import { fromFacts } from '../text/texts.ts'
import type { FailureEntry } from './entry.ts'

/** Failures of videos and audio that declare more than the limits allow, and of speech recognition. */
export const MEDIA_LIMIT_FAILURES = {
  too_many_tracks: {
    error_code: 'input_too_large',
    text: fromFacts({
      en: ({ limit }: { limit: number }) => `The file has more than ${limit} tracks. Remove some of them.`,
      uk: ({ limit }) => `Файл має понад ${limit} доріжок. Вилучіть деякі з них.`,
      ru: ({ limit }) => `В файле более ${limit} дорожек. Удалите некоторые из них.`,
    }),
  },
  too_many_chapters: {
    error_code: 'input_too_large',
    text: fromFacts({
      en: ({ limit }: { limit: number }) => `The file has more than ${limit} chapters. Remove some of them.`,
      uk: ({ limit }) => `Файл має понад ${limit} розділів. Вилучіть деякі з них.`,
      ru: ({ limit }) => `В файле более ${limit} глав. Удалите некоторые из них.`,
    }),
  },
  video_resolution_too_high: {
    error_code: 'input_too_large',
    text: fromFacts({
      en: ({ width, height, megapixels }: { width: number; height: number; megapixels: number }) =>
        `The video is ${width} x ${height} pixels; the maximum is ${megapixels} megapixels. Use a smaller resolution.`,
      uk: ({ width, height, megapixels }) =>
        `Розмір відео — ${width} x ${height} пікселів; найбільше — ${megapixels} мегапікселів. Використайте меншу роздільну здатність.`,
      ru: ({ width, height, megapixels }) =>
        `Размер видео — ${width} x ${height} пикселей; максимум — ${megapixels} мегапикселей. Используйте меньшее разрешение.`,
    }),
  },
  frame_rate_too_high: {
    error_code: 'input_too_large',
    text: fromFacts({
      en: ({ rate, limit }: { rate: number; limit: number }) =>
        `The video declares ${rate} frames per second; the maximum is ${limit}. Use a lower frame rate.`,
      uk: ({ rate, limit }) =>
        `Відео заявляє ${rate} кадрів за секунду; найбільше — ${limit}. Використайте нижчу частоту кадрів.`,
      ru: ({ rate, limit }) =>
        `Видео заявляет ${rate} кадров в секунду; максимум — ${limit}. Используйте меньшую частоту кадров.`,
    }),
  },
  audio_format_change: {
    error_code: 'processing_failed',
    text: {
      en: 'The channels or the sample rate of the added audio change midway. Convert it to a constant format first.',
      uk: 'Канали або частота дискретизації доданого аудіо змінюються посередині. Спершу конвертуйте його в сталий формат.',
      ru: 'Каналы или частота дискретизации добавленного аудио меняются посередине. Сначала конвертируйте его в постоянный формат.',
    },
  },
  speech_english_only: {
    error_code: 'parameter_refused',
    text: {
      en: 'language: This server transcribes English only. Use `en`.',
      uk: 'language: цей сервер розпізнає лише англійську. Використайте `en`.',
      ru: 'language: этот сервер распознает только английский. Используйте `en`.',
    },
  },
  speech_no_translation: {
    error_code: 'parameter_refused',
    text: {
      en: 'task: This server cannot translate speech. Use `transcribe`.',
      uk: 'task: цей сервер не може перекладати мовлення. Використайте `transcribe`.',
      ru: 'task: этот сервер не может переводить речь. Используйте `transcribe`.',
    },
  },
} as const satisfies Record<string, FailureEntry>
