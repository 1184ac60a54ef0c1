import { z } from 'zod'
import { hasInk } from './characters.ts'
import { Colour } from './colour.ts'
import { Position } from './positions.ts'
import { WebAddress } from './web-address.ts'

/** The parameters of a watermark, on a video or a picture. */
export const WatermarkParameters = z
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

function hasText(text = ''): boolean {
  return hasInk(text)
}
