import { z } from 'zod'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineImageEdit } from '../../images/define-edit.ts'
import type { ImageAction } from '../../planning/steps.ts'
import { packTexts } from '../../text/texts.ts'

const factor = (text: string) => z.number().min(0).max(4).default(1).describe(`${text}; 1 keeps it unchanged`)

const Parameters = z
  .object({
    autocontrast: z
      .boolean()
      .default(false)
      .describe('Stretches the tonal range to full black and white, before all other adjustments'),
    brightness: factor('Brightness factor: 0 is black'),
    contrast: factor('Contrast factor: 0 is uniform gray'),
    saturation: factor('Saturation factor: 0 is black and white'),
    sharpness: factor('Sharpness factor: 0 is soft'),
    blur: z.number().min(0).max(100).default(0).describe('Blur radius in pixels'),
    grayscale: z.boolean().default(false).describe('Black and white'),
  })
  .refine((params) => actionsOf(params).length > 0, {
    path: ['brightness'],
    error: packTexts({
      en: 'nothing to do. Set at least one of autocontrast, brightness, contrast, saturation, sharpness, blur or grayscale',
      uk: 'немає що виконувати. Укажіть принаймні щось одне: autocontrast, brightness, contrast, saturation, sharpness, blur або grayscale',
      ru: 'нечего выполнять. Укажите хотя бы что-то одно: autocontrast, brightness, contrast, saturation, sharpness, blur или grayscale',
    }),
  })

/** Adjusts tones and sharpness (Contract: Image operations). Factors behave like those of CSS filters. */
export const enhance = defineImageEdit({
  key: 'enhance',
  stem: 'enhanced',
  title: 'Enhance image',
  description:
    'Adjusts brightness, contrast, saturation, sharpness and blur, or converts to black and white.',
  credits: 1,
  family: null,
  facts: ['image'],
  parameters: Parameters,
  presets: [
    { label: 'Automatic contrast', params: { autocontrast: true } },
    { label: 'Vivid', params: { contrast: 1.1, saturation: 1.3, sharpness: 1.3 } },
    { label: 'Black and white', params: { grayscale: true, contrast: 1.1 } },
    { label: 'Soft background', params: { blur: 20 } },
  ],
  edit({ params, facts: { image } }) {
    return imageEdit(image, { actions: actionsOf(params) })
  },
})

function actionsOf(params: {
  autocontrast: boolean
  brightness: number
  contrast: number
  saturation: number
  sharpness: number
  blur: number
  grayscale: boolean
}): ImageAction[] {
  const { brightness, contrast, sharpness, blur } = params
  const saturation = params.grayscale ? 0 : params.saturation
  const actions: ImageAction[] = []
  if (params.autocontrast) actions.push({ action: 'autocontrast' })
  if (blur > 0) actions.push({ action: 'blur', radius: blur })
  if (sharpness !== 1) actions.push({ action: 'sharpness', factor: sharpness })
  if (brightness !== 1 || contrast !== 1 || saturation !== 1)
    actions.push({ action: 'color', brightness, contrast, saturation })
  return actions
}
