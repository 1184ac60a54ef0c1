import { z } from 'zod'
import type { AssetRequest } from '../planning/operation.ts'
import { type PlanRefusal, refuse } from '../planning/operation.ts'
import type { OverlayAction } from '../planning/steps.ts'
import { WebAddress } from '../planning/web-address.ts'
import { hasVisibleCharacters } from '../text/characters.ts'
import { Position } from '../text/positions.ts'
import { packTexts } from '../text/texts.ts'
import { Color } from './color.ts'

const Parameters = z
  .object({
    text: z.string().max(300).optional().describe('Text to draw, in any script; line breaks are kept'),
    logo_url: WebAddress.optional().describe(
      'URL of a logo to draw instead of text: PNG, JPEG, WebP, AVIF, HEIC, TIFF or GIF',
    ),
    position: Position.default('br').describe('Position, from tl (top left) to br (bottom right)'),
    opacity: z.number().min(0.05).max(1).default(0.8).describe('Opacity from 0.05 to 1 (opaque)'),
    size: z
      .number()
      .min(1)
      .max(100)
      .default(20)
      .describe('Width of the watermark in percent of the width of the video or image'),
    color: Color.default('#ffffff').describe('Color of the text: #rrggbb, #rgb or a name such as white'),
    margin: z.number().min(0).max(40).default(3).describe('Margin to the edges in percent of the width'),
    tiled: z.boolean().default(false).describe('Repeats the watermark over the whole area; text is slanted'),
  })
  .refine(({ text, logo_url }) => hasText(text) || logo_url !== undefined, {
    path: ['text'],
    message: packTexts({
      en: 'nothing to draw. Set text or logo_url',
      uk: 'немає що накладати. Укажіть text або logo_url',
      ru: 'нечего накладывать. Укажите text или logo_url',
    }),
  })
  .refine(({ text, logo_url }) => !(hasText(text) && logo_url !== undefined), {
    path: ['logo_url'],
    message: packTexts({
      en: 'cannot be combined with text. Set one of them',
      uk: 'не можна поєднувати з text. Укажіть щось одне',
      ru: 'нельзя сочетать с text. Укажите что-то одно',
    }),
  })

/** Refuses a logo that the fleet could not download. */
export function refuseLogo(): PlanRefusal {
  return refuse('logo_url', {
    en: 'the logo could not be downloaded. Check its URL',
    uk: 'не вдалося завантажити логотип. Перевірте його URL',
    ru: 'не удалось скачать логотип. Проверьте его URL',
  })
}

/** Returns the watermark as an overlay for a canvas of this size. */
export function watermarkOverlay(
  params: z.output<typeof Parameters>,
  content: OverlayAction['content'],
  { width, height }: OverlayAction['canvas'],
): OverlayAction {
  return {
    action: 'overlay',
    content,
    canvas: { width, height },
    width: Math.max(1, Math.round((params.size / 100) * width)),
    margin: Math.round((params.margin / 100) * width),
    place: params.position,
    tiled: params.tiled,
    opacity: params.opacity,
  }
}

/** The definition shared by the video and image operations. */
export const WATERMARK = {
  key: 'watermark',
  stem: 'watermarked',
  title: 'Watermark',
  description: 'Draws a text or a logo at one of nine positions, or repeated over the whole area.',
  family: 'watermark',
  parameters: Parameters,
  presets: [
    { label: 'Name in the corner', params: { text: '© Your name', position: 'br', size: 20 } },
    { label: 'Large in the center', params: { text: 'PREVIEW', position: 'c', size: 70, opacity: 0.3 } },
    { label: 'Tiled', params: { text: 'SAMPLE', tiled: true, size: 18, opacity: 0.25 } },
  ],
  assets({ logo_url }: z.output<typeof Parameters>): AssetRequest[] {
    return logo_url === undefined ? [] : [{ name: 'logo_url', url: logo_url, kind: 'image' }]
  },
}

function hasText(text = ''): boolean {
  return hasVisibleCharacters(text)
}
