import { z } from 'zod'
import { imageEdit } from '../../ffmpeg/edit.ts'
import { defineOperation, refuse } from '../../planning/operation.ts'

/**
 * Images, a whole pipeline in one job and one run (Contract: Image operations; Pipelines). What it does is
 * in params.operations, which belongs to every operation; without them it is refused, not billed.
 */
export const edit = defineOperation({
  service: 'image',
  key: 'edit',
  title: 'Edit image',
  description: 'Carries out the operations of params.operations in one go, in their order.',
  credits: 2,
  accepts: ['image'],
  family: null,
  facts: ['image'],
  requiresPipeline: true,
  parameters: z.object({}),
  presets: [],
  edit({ facts: { image } }) {
    return imageEdit(image, {})
  },
  plan() {
    return refuse('operations', 'is missing; list the operations to carry out')
  },
})
