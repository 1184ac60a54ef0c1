import { z } from 'zod'
import { packTexts } from '../text/texts.ts'

/** yt-dlp passes instructions to itself in such URLs. They are refused if they come from a caller. */
const SMUGGLED_OPTIONS = /__youtubedl_smuggle/i

export const LinkUrl = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .refine(
    (url) => !SMUGGLED_OPTIONS.test(url),
    packTexts({
      en: 'must be a video URL without embedded downloader options',
      uk: 'значення має бути URL відео без вбудованих параметрів завантажувача',
      ru: 'значение должно быть URL видео без встроенных параметров загрузчика',
    }),
  )
  .describe('Public URL of one video')

export const QUALITIES = ['best', '2160p', '1440p', '1080p', '720p', '480p', '360p'] as const

export const Start = z.number().min(0).default(0).describe('Start of the clip in seconds')
export const Duration = z
  .number()
  .min(0.1)
  .optional()
  .describe('Duration of the clip in seconds. Default: to the end')

/** Parses "720p" as 720; returns null for the best available quality. */
export function linesOf(quality: (typeof QUALITIES)[number]): number | null {
  return quality === 'best' ? null : Number.parseInt(quality, 10)
}
