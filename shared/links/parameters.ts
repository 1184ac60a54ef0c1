import { z } from 'zod'

/** yt-dlp keeps notes to itself in such an address; from a stranger they would be orders. */
const NOTES = /__youtubedl_smuggle/i

export const LinkUrl = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .refine((url) => !NOTES.test(url), 'must be a plain link to a video')
  .describe('Public link to one video')

export const QUALITIES = ['best', '2160p', '1440p', '1080p', '720p', '480p', '360p'] as const

export const Start = z.number().min(0).default(0).describe('Where the part begins, in seconds')
export const Duration = z
  .number()
  .min(0.1)
  .optional()
  .describe('Length of the part in seconds; omitted, to the end')

/** "720p" → 720; null: the best there is. */
export function linesOf(quality: (typeof QUALITIES)[number]): number | null {
  return quality === 'best' ? null : Number.parseInt(quality, 10)
}
