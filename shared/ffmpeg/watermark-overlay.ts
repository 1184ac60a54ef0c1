import { z } from 'zod'
import type { AssetRequest } from '../planning/operation.ts'
import type { OverlayAction } from '../planning/steps.ts'
import { WebAddress } from '../planning/web-address.ts'
import { hasInk } from '../text/characters.ts'
import { Position } from '../text/positions.ts'
import { Colour } from './color.ts'

const Parameters = z
  .object({
    text: z.string().max(300).optional().describe('Text to draw, in any script; line breaks are kept'),
    logo_url: WebAddress.optional().describe(
      'Public address of a picture to lay over instead of a text: PNG, JPEG, WebP, AVIF, HEIC, TIFF or GIF',
    ),
    position: Position.default('br').describe('Place in the picture: from tl, top left, to br, bottom right'),
    opacity: z.number().min(0.05).max(1).default(0.8).describe('From 0.05, hardly there, to 1, solid'),
    size: z
      .number()
      .min(1)
      .max(100)
      .default(20)
      .describe("Width of the mark in percent of the picture's width"),
    color: Colour.default('#ffffff').describe('Colour of the text: #rrggbb, #rgb or a name such as white'),
    margin: z
      .number()
      .min(0)
      .max(40)
      .default(3)
      .describe("Room to the edges in percent of the picture's width"),
    tiled: z
      .boolean()
      .default(false)
      .describe('Repeats the mark all over the picture, at a slant where it is a text'),
  })
  .refine(({ text, logo_url }) => hasText(text) || logo_url !== undefined, {
    path: ['text'],
    message: 'there is nothing to draw: give a text or a logo_url',
  })
  .refine(({ text, logo_url }) => !(hasText(text) && logo_url !== undefined), {
    path: ['logo_url'],
    message: 'give either a text or a logo_url, not both',
  })

/** The watermark as one layer over a picture of this size. */
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

/** What the watermarks of videos and of pictures have in common. */
export const WATERMARK = {
  key: 'watermark',
  stem: 'watermarked',
  title: 'Watermark',
  description: 'Lays a text or a logo over the picture: at one of nine places, or repeated all over it.',
  family: 'watermark',
  parameters: Parameters,
  presets: [
    { label: 'Name in the corner', params: { text: '© Your name', position: 'br', size: 20 } },
    { label: 'Large in the middle', params: { text: 'PREVIEW', position: 'c', size: 70, opacity: 0.3 } },
    { label: 'All over', params: { text: 'SAMPLE', tiled: true, size: 18, opacity: 0.25 } },
  ],
  assets({ logo_url }: z.output<typeof Parameters>): AssetRequest[] {
    return logo_url === undefined ? [] : [{ name: 'logo_url', url: logo_url, kind: 'image' }]
  },
}

function hasText(text = ''): boolean {
  return hasInk(text)
}
