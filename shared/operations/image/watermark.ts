import { imageEdit } from '../edit.ts'
import { refuse } from '../operation.ts'
import type { OverlayAction } from '../steps.ts'
import { WATERMARK, watermarkOverlay } from '../watermark.ts'
import { defineImageEdit } from './define-edit.ts'

/** Images, a text or a logo over the picture (specification: Image service). */
export const watermark = defineImageEdit({
  ...WATERMARK,
  credits: 1,
  facts: ['image', 'assets'],
  edit({ params, facts: { image, assets } }) {
    const { logo_url: logo } = assets
    if (params.logo_url !== undefined && logo === undefined)
      return refuse('logo_url', 'the logo could not be fetched')
    const content: OverlayAction['content'] =
      logo === undefined
        ? { kind: 'text', text: params.text ?? '', color: params.color }
        : { kind: 'image', file: logo.file }
    return imageEdit(image, { actions: [watermarkOverlay(params, content, image)] })
  },
})
