import { z } from 'zod'
import { defineOperation, refuse } from '../operation.ts'
import { SOURCE } from '../steps.ts'
import { keptFormat } from './formats.ts'

const FIT = { fit: 'inside', fill: 'cover', exact: 'fill' } as const

export const resize = defineOperation({
  service: 'image',
  key: 'resize',
  title: 'Resize image',
  description: 'Changes the size: fitted within, filling and cropped, exact, or by percent.',
  credits: 1,
  accepts: ['image'],
  family: 'resize',
  facts: ['image'],
  parameters: z
    .object({
      width: z.int().min(16).max(20_000).optional().describe('Width in pixels'),
      height: z.int().min(16).max(20_000).optional().describe('Height in pixels'),
      resize_mode: z
        .enum(['fit', 'fill', 'exact', 'scale'])
        .default('fit')
        .describe('fit keeps the aspect, fill crops, exact distorts, scale takes percent'),
      percent: z.number().min(1).max(1000).optional().describe('Size in percent, with resize_mode scale'),
    }),
  presets: [
    { label: 'Full HD', params: { width: 1920, height: 1080 } },
    { label: 'Half', params: { resize_mode: 'scale', percent: 50 } },
  ],
  plan({ params, facts: { image } }) {
    const size = wantedSize(params, image)
    if (size === null) return refuse('width', 'resize needs a width or a height, or percent with resize_mode scale')
    const { file, format } = keptFormat('resized', image)
    return {
      encode_mode: null,
      steps: [
        {
          kind: 'image',
          input: SOURCE,
          actions: [{ action: 'resize', ...size }],
          output: { file, format, quality: null, max_bytes: null },
        },
      ],
      outputs: [{ file }],
    }
  },
})
