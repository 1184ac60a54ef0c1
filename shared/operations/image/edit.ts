import { z } from 'zod'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineOperation, refuse } from '../../planning/operation.ts'
import { ImageBody } from '../../planning/result-body.ts'

/**
 * Runs the operations listed in `params.operations` as one job (Contract: Image operations; Pipelines). An empty
 * list is refused without a charge.
 */
export const edit = defineOperation({
  service: 'image',
  key: 'edit',
  title: 'Edit image',
  description: 'Runs the operations listed in params.operations, in order, as one job.',
  credits: 2,
  accepts: ['image'],
  family: null,
  facts: ['image'],
  requiresPipeline: true,
  parameters: z.object({}),
  presets: [],
  result_body: ImageBody,
  edit({ facts: { image } }) {
    return imageEdit(image, {})
  },
  plan() {
    return refuse('operations', {
      en: 'is required. List the operations to run',
      uk: 'значення обов’язкове. Перелічіть операції',
      ru: 'значение обязательно. Перечислите операции',
    })
  },
})
