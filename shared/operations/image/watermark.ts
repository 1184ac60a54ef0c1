import { imageEdit } from '../edit.ts'
import { refuse } from '../operation.ts'
import type { OverlayAction } from '../steps.ts'
import { WatermarkParameters } from '../watermark.ts'
import { defineImageEdit } from './define-edit.ts'

/** Images, a text or a logo over the picture (specification: Image service). */
export const watermark = defineImageEdit({
  key: 'watermark',
  stem: 'watermarked',
  title: 'Watermark',
  description: 'Lays a text or a logo over the picture: at one of nine places, or repeated all over it.',
  credits: 1,
  family: 'watermark',
  facts: ['image', 'assets'],
  parameters: WatermarkParameters,
  presets: [
    { label: 'Name in the corner', params: { text: '© Your name', position: 'br', size: 20 } },
    { label: 'Large in the middle', params: { text: 'PREVIEW', position: 'c', size: 70, opacity: 0.3 } },
    { label: 'All over', params: { text: 'SAMPLE', tiled: true, size: 18, opacity: 0.25 } },
  ],
  assets({ logo_url }) {
    return logo_url === undefined ? [] : [{ name: 'logo_url', url: logo_url, kind: 'image' }]
  },
  edit({ params, facts: { image, assets } }) {
    const { width, height } = image
    const { logo_url: logo } = assets
    if (params.logo_url !== undefined && logo === undefined)
      return refuse('logo_url', 'the logo could not be fetched')
    const content: OverlayAction['content'] =
      logo === undefined
        ? { kind: 'text', text: params.text ?? '', color: params.color }
        : { kind: 'image', file: logo.file }
    return imageEdit(image, {
      actions: [
        {
          action: 'overlay',
          content,
          canvas: { width, height },
          width: Math.max(1, Math.round((params.size / 100) * width)),
          margin: Math.round((params.margin / 100) * width),
          place: params.position,
          tiled: params.tiled,
          opacity: params.opacity,
        },
      ],
    })
  },
})
