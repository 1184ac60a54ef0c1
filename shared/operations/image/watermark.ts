import { imageEdit } from '../../ffmpeg/edit.ts'
import { refuseLogo, WATERMARK, watermarkOverlay } from '../../ffmpeg/watermark-overlay.ts'
import { defineImageEdit } from '../../images/define-edit.ts'
import type { OverlayAction } from '../../planning/steps.ts'

/** Draws text or a logo over an image (Contract: Image operations). */
export const watermark = defineImageEdit({
  ...WATERMARK,
  credits: 1,
  facts: ['image', 'assets'],
  edit({ params, facts: { image, assets } }) {
    const { logo_url: logo } = assets
    if (params.logo_url !== undefined && logo === undefined) return refuseLogo()
    const content: OverlayAction['content'] =
      logo === undefined
        ? { kind: 'text', text: params.text ?? '', color: params.color }
        : { kind: 'image', file: logo.file }
    return imageEdit(image, { actions: [watermarkOverlay(params, content, image)] })
  },
})
